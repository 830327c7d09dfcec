-- Locks tasks of a batch that are to be cancelled. Index: task_pkey, one probe per task. Locks the rows in the order of the ids,
-- sorted by the caller; at most as many rows as ids.
select t.id, t.state::text, t.key_id
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select p.id, p.state, p.key_id from task p where p.id = n.id and not p.cancel_requested for update) t
