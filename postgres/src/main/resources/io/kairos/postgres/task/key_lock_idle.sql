-- Locks keys that may be removed because no task refers to them. A key that has tasks is only read. Index: task_key_pkey,
-- task_of_key, one probe each per key. Skips keys locked by peers, which use them, and keys to which an application's
-- transaction is adding a task, which locks them for key share. At most as many rows as ids.
select k.id
from unnest(:ids::bigint[]) n (id)
cross join lateral (
  select p.id from task_key p
  where p.id = n.id
    and p.occupied = 0
    and p.head is null
    and p.blocked_by is null
    and (select t.id from task t where t.key_id = p.id limit 1) is null
  for update skip locked) k
