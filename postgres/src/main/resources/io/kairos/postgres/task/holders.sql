-- The holders of these tasks, and whose worker claimed their latest attempts; tasks without one are left out. Index: task_pkey, one probe per task. No locks; at most as
-- many rows as ids.
select t.id, t.holder, t.fence, t.performed_by
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select p.id, p.holder, p.fence, p.performed_by from task p
  where p.id = n.id and p.holder is not null
  offset 0) t
