-- The numbers of the keys of tasks, in their order. Index: task_queue_pkey, task_key_handler_key_key, one probe each per
-- task. No locks; at most one row per task.
select n.nth, k.id
from unnest(:queue_ids::integer[], :keys::text[]) with ordinality n (queue_id, key, nth)
cross join lateral (select p.handler from task_queue p where p.id = n.queue_id offset 0) q
cross join lateral (select p.id from task_key p where p.handler = q.handler and p.key = n.key offset 0) k
