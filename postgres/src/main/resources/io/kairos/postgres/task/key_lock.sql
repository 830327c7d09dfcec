-- Locks keys, and returns them with the policies of their handlers. A transaction that changes which tasks of a key may
-- begin does so between this statement and its commit, and reads the tasks by statements that begin after this one. Tasks
-- are locked before keys, keys in the order of their ids, sorted by the caller. Index: task_key_pkey, task_handler_pkey,
-- one probe each per key; as many rows as ids, without keys that were pruned.
select
  k.id, clock.micros, k.occupied, k.head, k.blocked_by, k.tokens, k.tokens_at,
  h.key_ordered, h.key_max_running, h.key_rate, h.key_burst, h.on_dead
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
cross join unnest(:ids::bigint[]) n (id)
cross join lateral (select * from task_key p where p.id = n.id for no key update) k
left join lateral (select * from task_handler s where s.handler = k.handler offset 0) h on true
