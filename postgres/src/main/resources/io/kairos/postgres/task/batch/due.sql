-- Batches that are closed and have not ended, and whose rows count as many ends as tasks. Index: task_batch_due. No locks; at most
-- :max_batches rows.
select b.id
from task_batch b
where b.closed_at is not null
  and b.ended is null
  and b.total = b.succeeded + b.failed + b.cancelled + b.dead
order by b.id
limit :max_batches::integer
