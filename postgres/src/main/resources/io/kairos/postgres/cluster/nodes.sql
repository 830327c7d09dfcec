-- Nodes that live, and those that died and told figures after :after_period, with what they told last. A node is found in the
-- periods of the last two minutes, or in one period of each minute of the hour before. Index: node_figures_pkey, by slots, of
-- which a node has about 80 and a dead one twelve more. Reads all of node. No locks; a row per node.
with present as materialized (
  select floor(extract(epoch from clock_timestamp()) / 5)::bigint as period
), seen as materialized (
  select g.node_id, max(g.period) as period
  from node_figures g
  where g.slot = any (array(
      select (n % 720)::smallint
      from present p
      cross join lateral generate_series(p.period - 24, p.period + 2) n
      union all
      select (n % 720)::smallint
      from present p
      cross join lateral generate_series(p.period - 717, p.period - 25, 12) n))
    and g.period > :after_period::bigint
  group by g.node_id
), latest as materialized (
  select s.node_id, l.period
  from seen s
  cross join lateral (
    select max(g.period) as period
    from node_figures g
    where g.slot = any (array(select (n % 720)::smallint from generate_series(s.period, s.period + 11) n))
      and g.node_id = s.node_id
      and g.period >= s.period) l
)
select n.enrolled_at, n.renewed_at, n.id is null or n.retired_at is not null, coalesce(n.id, l.node_id), f.period is not null, {told}
from node n
full join latest l on l.node_id = n.id
left join node_figures f on f.slot = (l.period % 720)::smallint and f.node_id = l.node_id
where (n.id is not null and n.retired_at is null) or (f.period is not null and not f.is_last)
