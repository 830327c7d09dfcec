-- Locks keys that may be forgotten, as no task refers to them: one that has tasks, however many keys there are, is only read.
-- Index: task_key_pkey, task_of_key, one probe each per key. Skips keys locked by peers, who have use for them; also those
-- to which a task is being added by an application's own transaction, which holds a lock for key share. At most as many rows
-- as ids.
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
