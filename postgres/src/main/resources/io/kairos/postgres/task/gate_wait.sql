-- Waits for all that have looked at a gate while it was closed and may still hold tasks back. It is open, so that nobody waits
-- for this. Index: task_gate_pkey. Locks the row until the end of the transaction.
select g.since
from task_gate g
where g.handler = :handler::text and g.collection = :collection::text
for update
