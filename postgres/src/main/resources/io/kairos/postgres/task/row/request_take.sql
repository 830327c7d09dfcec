-- Gives idempotency keys whose window has closed to other tasks, as in request_claim.sql. Index: task_request_pkey, task_queue_pkey. The rows are
-- locked already; one per key.
update task_request r
set
  task_id = n.id,
  mode = case n.mode when 'W' then 'U' else n.mode end::"char",
  until = coalesce(n.until, (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) + n.window_micros),
  waiting_task = case n.mode when 'W' then n.id end
from unnest(:queue_ids::integer[], :keys::text[], :ids::uuid[], :modes::text[], :windows::bigint[], :untils::bigint[])
  n (queue_id, key, id, mode, window_micros, until)
cross join lateral (select f.handler from task_queue f where f.id = n.queue_id offset 0) q
where r.handler = q.handler and r.key = n.key
