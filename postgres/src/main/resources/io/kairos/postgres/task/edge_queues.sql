-- The queues of tasks, unfinished or ended, and the handlers of batches. Index: task_pkey, finished_task_pkey, task_queue_pkey,
-- task_batch_pkey, up to four probes per id. No locks; at most as many rows as ids.
select n.id, q.handler, q.priority
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select t.queue_id from task t where t.id = n.id
  union all
  select f.queue_id from finished_task f where f.id = n.id
  limit 1) v
cross join lateral (select * from task_queue p where p.id = v.queue_id offset 0) q
union all
select b.id, b.handler, 50::smallint
from unnest(:ids::uuid[]) n (id)
cross join lateral (select * from task_batch p where p.id = n.id offset 0) b
