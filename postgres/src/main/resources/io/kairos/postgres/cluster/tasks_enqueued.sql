-- Counts tasks on the queues of nodes, by the cells of their due times. Index: task_held, of which all is read, because nodes
-- and workers bound it. No locks; a row per cell.
select {cell} as cell, count(*)
from (
  select h.due_at as at
  from (select t.state, t.due_at from task t where t.state in ('E', 'P') offset 0) h
  where h.state::text = 'E') w
group by 1
