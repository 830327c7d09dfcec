-- The admission quotas of the handlers of these queues, once for each queue. Index: task_queue_pkey, task_handler_pkey. Locks
-- the rows in the order of the handlers; at most one per queue.
select n.id, h.handler, h.max_unfinished, h.unfinished
from unnest(:queue_ids::integer[]) n (id)
cross join lateral (select f.handler from task_queue f where f.id = n.id offset 0) q
join task_handler h on h.handler = q.handler and h.max_unfinished is not null
order by h.handler
for no key update of h
