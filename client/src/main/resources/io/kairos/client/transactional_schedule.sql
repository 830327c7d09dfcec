-- Schedules a task in the caller's transaction. Parameters in the order of the arguments; lengths of time in microseconds.
-- The function says what it locks.
select kairos_schedule(
  handler => ?,
  payload => ?,
  run_at => ?,
  delay => ? * interval '1 microsecond',
  priority => ?,
  key => ?,
  collection => ?,
  start_deadline => ?,
  idempotency_key => ?,
  idempotency_window => ?,
  idempotency_duration => ? * interval '1 microsecond',
  on_conflict => ?,
  execution_timeout => ? * interval '1 microsecond',
  traceparent => ?,
  max_attempts => ?,
  initial_backoff => ? * interval '1 microsecond',
  backoff_factor => ?,
  max_backoff => ? * interval '1 microsecond',
  reject_beyond => ? * interval '1 microsecond')
