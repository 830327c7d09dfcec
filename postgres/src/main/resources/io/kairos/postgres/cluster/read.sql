-- The figures of nodes in periods :from_period to :to_period, the earliest first. Index: node_figures_pkey, by slots. No locks;
-- a row per node and period, of at most an hour.
select {figures}
from node_figures f
where f.slot = any ({slots}) and f.period >= :from_period::bigint and f.period <= :to_period::bigint
order by f.period, f.node_id
