-- Attempts under way with these fences of tasks that have a key, limits or successors, to end them when their keys and limits are
-- locked too. See claim.sql for the form of the conditions. Index: task_pkey, one probe per task. Locks the rows in the order of
-- the ids, sorted by the caller; as many rows as ids.
select t.id, t.fence, t.key_id, t.cancel_requested, t.limits
from unnest(:ids::uuid[], :fences::bigint[]) s (id, fence)
cross join lateral (
  select p.id, p.fence, p.key_id, p.cancel_requested, p.limits from task p
  where p.id = s.id and p.fence = s.fence and p.state::text = 'P'
    and (p.key_id is not null or p.has_successors or p.limits is not null)
  for update) t
