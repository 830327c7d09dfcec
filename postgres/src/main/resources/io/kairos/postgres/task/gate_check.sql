-- Whether a gate is open again, after all that have looked at it have ended; no row when it is gone. Index: task_gate_pkey.
-- Locks the row until the end of the transaction.
select g.until is not null and g.until <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint), g.mode, g.note
from task_gate g
where g.handler = :handler::text and g.collection = :collection::text
for update
