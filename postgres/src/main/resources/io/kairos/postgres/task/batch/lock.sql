-- Locks a batch that is closed and has not ended, so that nobody begins to wait for it until it has; skips it when a peer has it.
-- Index: task_batch_pkey. One row or none.
select b.id
from task_batch b
where b.id = :id::uuid and b.closed_at is not null and b.ended is null
for update skip locked
