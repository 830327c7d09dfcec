-- Waits for all transactions that have read a pause while it held and may still hold tasks back. The pause is over, so that
-- nobody waits for this statement. Index: task_pause_pkey. Locks the row until the end of the transaction.
select g.since
from task_pause g
where g.handler = :handler::text and g.collection = :collection::text
for update
