-- Keeps what a node tells of a route, in the place of what it told before. No column of an index changes, so that the new
-- version of the row goes into the page of the old one. Index: route_figures_pkey. Locks its row; one row.
insert into route_figures (
  node_id, route, period, node, input, output, dead_letters, partitions, positions, lags, lane_outputs, lane_partitions,
  lane_troubles, lane_queued, taken_over, amended_applied, amended_too_late, amended_unknown)
values (
  :node_id::uuid, :route::text, :period::bigint, :node::text, :input::text, :output::text, :dead_letters::text,
  :partitions::bigint[], :positions::bigint[], :lags::bigint[], :lane_outputs::text[], :lane_partitions::bigint[],
  :lane_troubles::text[], :lane_queued::bigint[], :taken_over::bigint, :amended_applied::bigint, :amended_too_late::bigint,
  :amended_unknown::bigint)
on conflict (node_id, route) do update set
  period = excluded.period,
  node = excluded.node,
  input = excluded.input,
  output = excluded.output,
  dead_letters = excluded.dead_letters,
  partitions = excluded.partitions,
  positions = excluded.positions,
  lags = excluded.lags,
  lane_outputs = excluded.lane_outputs,
  lane_partitions = excluded.lane_partitions,
  lane_troubles = excluded.lane_troubles,
  lane_queued = excluded.lane_queued,
  taken_over = excluded.taken_over,
  amended_applied = excluded.amended_applied,
  amended_too_late = excluded.amended_too_late,
  amended_unknown = excluded.amended_unknown
