-- Sets the retry policy of a handler. Index: task_handler_pkey. Locks the row; one.
insert into task_handler (handler, max_attempts, backoff_initial_micros, backoff_factor, backoff_max_micros)
values (:handler::text, :max_attempts::integer, :initial::bigint, :factor::double precision, :max::bigint)
on conflict (handler) do update
set
  max_attempts = excluded.max_attempts,
  backoff_initial_micros = excluded.backoff_initial_micros,
  backoff_factor = excluded.backoff_factor,
  backoff_max_micros = excluded.backoff_max_micros
