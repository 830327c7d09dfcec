-- Opens a gate that is closed: it is over from now on, and removed when what it held back waits again. Index: task_gate_pkey.
-- Waits for whoever tends it. A claim or a store consumer that looks at it just now may still hold a task back, which waits
-- again with the next tending; one row or none.
update task_gate
set until = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
where handler = :handler::text
  and collection = :collection::text
  and (until is null or until > (select (extract(epoch from clock_timestamp()) * 1000000)::bigint))
