-- Marks tasks that were put back and for which others still wait. Index: task_pkey, task_edge_pkey, one probe each per task. The
-- rows are new; at most as many as ids.
update task t
set has_successors = true
from unnest(:ids::uuid[]) n (id)
where t.id = any (array[n.id])
  and exists (select from task_edge e where e.predecessor = n.id)
