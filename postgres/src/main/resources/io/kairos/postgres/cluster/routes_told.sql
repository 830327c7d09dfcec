-- The routes of nodes, as told since period :from_period. Reads the whole table, which has a row per node and route.
-- No locks.
select
  f.node, f.route, f.input, f.output, f.dead_letters, f.partitions, f.positions, f.lags, f.lane_outputs, f.lane_partitions,
  f.lane_troubles, f.lane_queued, f.taken_over, f.amended_applied, f.amended_too_late, f.amended_unknown
from route_figures f
where f.period >= :from_period::bigint
