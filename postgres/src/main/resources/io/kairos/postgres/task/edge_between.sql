-- The edges between tasks, in the order of their successors, up to a bound. Index: task_edge_successor, one range per task. No locks; at
-- most :max_edges rows, but passes over all edges to these tasks.
select e.predecessor, e.successor, e.on_failure::text, e.open
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select x.predecessor, x.successor, x.on_failure, x.open from task_edge x where x.successor = n.id offset 0) e
where e.predecessor = any (:ids::uuid[])
order by e.successor, e.predecessor
limit :max_edges::integer
