-- Nodes that live, and those that died and told figures after :after_period, with what they told last. Reads both tables: node
-- has a row per node, node_figures an hour of each. No locks; a row per node.
with latest as materialized (
  select g.node_id, max(g.period) as period
  from node_figures g
  where g.period > :after_period::bigint
  group by g.node_id
)
select n.enrolled_at, n.renewed_at, n.id is null or n.retired_at is not null, coalesce(n.id, l.node_id), f.period is not null, {told}
from node n
full join latest l on l.node_id = n.id
left join node_figures f on f.slot = (l.period % 720)::smallint and f.node_id = l.node_id
where (n.id is not null and n.retired_at is null) or (f.period is not null and not f.is_last)
