-- Locks a batch that is closed and has not ended, so that nobody begins to wait for it until it has. Index: task_batch_pkey. Waits for
-- tasks that have begun to wait for it, so long as the transaction's lock_timeout allows; one row or none.
select b.id
from task_batch b
where b.id = :id::uuid and b.closed_at is not null and b.ended is null
for update
