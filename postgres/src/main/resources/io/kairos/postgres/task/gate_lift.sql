-- Opens a gate that is closed: it is over from now on, and removed when what it held back waits again. Index: task_gate_pkey.
-- Waits for claims and store consumers that have looked at it; one row or none.
update task_gate
set until = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
where handler = :handler::text
  and collection = :collection::text
  and (until is null or until > (select (extract(epoch from clock_timestamp()) * 1000000)::bigint))
