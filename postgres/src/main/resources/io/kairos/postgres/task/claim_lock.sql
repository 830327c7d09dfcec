-- Enqueued tasks with a key or limits by key that still carry their fence; these decide next which of them may begin. See claim.sql for
-- the form of the conditions. Index: task_pkey, one probe per task. Locks the rows in the order of the ids, sorted by the
-- caller; as many rows as ids.
select t.id, t.fence, t.key_id, t.due_at, t.limits
from unnest(:ids::uuid[], :fences::bigint[]) c (id, fence)
cross join lateral (
  select p.id, p.fence, p.key_id, p.due_at, p.limits from task p
  where p.id = c.id and p.fence = c.fence and p.state::text = 'E'
    and (p.key_id is not null or p.limits is not null)
  for no key update) t
