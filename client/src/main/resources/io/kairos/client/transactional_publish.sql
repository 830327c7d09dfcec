-- Stores a message for a topic in the caller's transaction. Parameters in the order of the arguments; lengths of time in
-- microseconds. The function says what it locks.
select kairos_publish(
  topic => ?,
  payload => ?,
  run_at => ?,
  delay => ? * interval '1 microsecond',
  message_key => ?,
  header_names => ?::text[],
  header_values => ?::bytea[],
  idempotency_key => ?,
  traceparent => ?)
