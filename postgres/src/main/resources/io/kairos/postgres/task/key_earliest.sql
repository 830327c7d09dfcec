-- The first unfinished task of each key, in due order. Index: task_of_key, its first entry of each key. No locks: the keys
-- are locked. At most one row per key.
select k.id, t.due_at, t.id
from unnest(:ids::bigint[]) k (id)
cross join lateral (
  select p.id, p.due_at from task p
  where p.key_id = k.id
  order by p.due_at, p.id
  limit 1) t
