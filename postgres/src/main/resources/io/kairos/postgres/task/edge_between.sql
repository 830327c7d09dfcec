-- The edges between tasks, in the order of their successors. Index: task_edge_successor, one range per task. No locks; at most as
-- many rows as edges between these tasks, but passes over those from other tasks.
select e.predecessor, e.successor, e.on_failure::text, e.open
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select x.predecessor, x.successor, x.on_failure, x.open from task_edge x where x.successor = n.id offset 0) e
where e.predecessor = any (:ids::uuid[])
order by e.successor, e.predecessor
