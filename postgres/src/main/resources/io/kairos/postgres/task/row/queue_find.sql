-- The numbers of queues. Index: task_queue_handler_priority_key. No locks; one row per queue.
select q.id, q.handler, q.priority
from unnest(:handlers::text[], :priorities::integer[]) n (handler, priority)
cross join lateral (
  select f.id, f.handler, f.priority
  from task_queue f
  where f.handler = n.handler and f.priority = n.priority
  offset 0) q
