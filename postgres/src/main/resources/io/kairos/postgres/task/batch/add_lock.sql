-- Locks batches that tasks are about to join, with the queues of their handlers. Index: task_batch_pkey, task_queue_handler_priority_key.
-- Locks the rows in the order of the ids, not against tasks that are about to wait for them; at most as many rows as ids.
select
  b.id, b.closed_at is not null, b.total,
  array(select q.id from task_queue q where q.handler = b.handler)
from task_batch b
where b.id = any (:ids::uuid[])
order by b.id
for no key update
