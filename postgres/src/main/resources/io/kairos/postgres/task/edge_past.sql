-- The ends of tasks. Index: finished_task_pkey, one probe per task. Locks the rows against being put back, so that the edges of
-- a task that is put back are seen; at most as many rows as ids.
select f.id, f.state
from unnest(:ids::uuid[]) n (id)
cross join lateral (select p.id, p.state from finished_task p where p.id = n.id for key share) f
