-- The queues of tasks, unfinished or ended. Index: task_pkey, finished_task_pkey, task_queue_pkey, up to three probes per task. No
-- locks; at most as many rows as ids.
select n.id, q.handler, q.priority
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select t.queue_id from task t where t.id = n.id
  union all
  select f.queue_id from finished_task f where f.id = n.id
  limit 1) v
cross join lateral (select * from task_queue p where p.id = v.queue_id offset 0) q
