-- Sets the retry policy of a handler. Index: task_handler_pkey. The row is locked already; one.
update task_handler
set
  max_attempts = :max_attempts::integer,
  backoff_initial_micros = :initial::bigint,
  backoff_factor = :factor::double precision,
  backoff_max_micros = :max::bigint
where handler = :handler::text
