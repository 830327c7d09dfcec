-- The tasks that have these idempotency keys, for tasks that are about to be stored: the task, true if it has the key only
-- while it is unfinished, true if its window has not ended by time, and true if it has the key only while it waits. Index: task_request_pkey, task_queue_pkey. Locks
-- the rows in the order of the keys; one per key.
select n.id, r.task_id, r.mode = 'U', r.until is null or r.until
  > (select (extract(epoch from clock_timestamp()) * 1000000)::bigint), coalesce(r.waiting_task = r.task_id, false)
from unnest(:queue_ids::integer[], :keys::text[], :ids::uuid[]) n (queue_id, key, id)
cross join lateral (select f.handler from task_queue f where f.id = n.queue_id offset 0) q
join task_request r on r.handler = q.handler and r.key = n.key
order by r.handler, r.key
for update of r
