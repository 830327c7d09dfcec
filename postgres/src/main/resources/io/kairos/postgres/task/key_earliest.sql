-- The first unfinished task of each key that awaits no others, in due order. Index: task_of_key, of each key up to the first such
-- entry. No locks: the keys
-- are locked. At most one row per key.
select k.id, t.due_at, t.id
from unnest(:ids::bigint[]) k (id)
cross join lateral (
  select p.id, p.due_at from task p
  where p.key_id = k.id and p.state::text <> 'A'
  order by p.due_at, p.id
  limit 1) t
