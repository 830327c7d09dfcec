-- Which of these tasks live, their states, and whether they have an ordering key. Index: task_pkey, one probe per task. Locks
-- the rows in the order of the ids, sorted by the caller, so that what is to be replaced stays as it is; as many rows as ids.
select l.id, l.state, l.is_ordered
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select t.id, t.state, t.key_id is not null as is_ordered
  from task t
  where t.id = n.id
  for no key update) l
