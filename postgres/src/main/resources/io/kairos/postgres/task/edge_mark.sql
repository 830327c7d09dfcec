-- Marks tasks that were put back and for which others still wait, or that have waited for others. Index: task_pkey, task_edge_pkey,
-- task_edge_successor, one probe each per task. The rows are new; at most as many as ids.
update task t
set has_successors = n.has_successors, has_predecessors = n.has_predecessors
from (
  select
    i.id,
    exists (select from task_edge e where e.predecessor = i.id offset 0) as has_successors,
    exists (select from task_edge e where e.successor = i.id offset 0) as has_predecessors
  from unnest(:ids::uuid[]) i (id)
  offset 0) n
where t.id = any (array[n.id])
  and (n.has_successors or n.has_predecessors)
