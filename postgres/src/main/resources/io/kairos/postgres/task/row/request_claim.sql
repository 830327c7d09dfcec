-- Takes free idempotency keys for tasks that are about to be stored, each until :untils, or until :windows microseconds from
-- now (both null: no end by time). The mode W is that of keys while their tasks wait. Index: task_request_pkey, task_queue_pkey; writes all. Waits for transactions that are taking the same
-- keys; in the order of the keys. One row per key.
insert into task_request (handler, key, task_id, mode, until, waiting_task)
select
  q.handler,
  n.key,
  n.id,
  case n.mode when 'W' then 'U' else n.mode end::"char",
  coalesce(n.until, (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) + n.window_micros),
  case n.mode when 'W' then n.id end
from unnest(:queue_ids::integer[], :keys::text[], :ids::uuid[], :modes::text[], :windows::bigint[], :untils::bigint[])
  n (queue_id, key, id, mode, window_micros, until)
cross join lateral (select f.handler from task_queue f where f.id = n.queue_id offset 0) q
order by q.handler, n.key collate "C"
on conflict (handler, key) do nothing
