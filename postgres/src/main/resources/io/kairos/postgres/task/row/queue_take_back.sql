-- Takes back queues that are retired. Index: task_queue_handler_priority_key, then task_queue_pkey. Locks their rows in the
-- order of the names, sorted by the caller; waits for a transaction that removes one. One row per queue that was retired.
update task_queue
set retired_at = null
where id = any (array(
  select q.id
  from unnest(:handlers::text[], :priorities::integer[]) n (handler, priority)
  cross join lateral (
    select f.id from task_queue f
    where f.handler = n.handler and f.priority = n.priority and f.retired_at is not null
    offset 0) q))
