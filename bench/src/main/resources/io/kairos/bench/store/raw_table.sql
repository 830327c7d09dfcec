-- A copy of the delay queue's table with its indexes and storage settings, so that both do the same work.
create table raw_loop (like delayed_message including all)
  with (
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_cost_delay = 0)
