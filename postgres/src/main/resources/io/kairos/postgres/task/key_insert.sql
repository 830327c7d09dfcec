-- Creates keys that do not exist. A look-up comes first, so that a known key costs no row. Index: task_queue_pkey,
-- task_key_handler_key_key. Waits for a transaction that is creating the same key; in the order of handler and key. At most
-- one row per task.
insert into task_key (handler, key)
select distinct q.handler, n.key collate "C"
from unnest(:queue_ids::integer[], :keys::text[]) n (queue_id, key)
cross join lateral (select p.handler from task_queue p where p.id = n.queue_id offset 0) q
where (select k.id from task_key k where k.handler = q.handler and k.key = n.key) is null
order by 1, 2
on conflict (handler, key) do nothing
