-- Notes that an execution has its effect; changes no row when it had it before. Parameter: the execution id. Index: the primary
-- key. Waits for a transaction that has just noted the same one, and locks this one row until the transaction ends.
insert into kairos_execution (id)
values (?)
on conflict (id) do nothing
