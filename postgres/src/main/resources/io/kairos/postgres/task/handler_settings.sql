-- The settings of a handler. Index: task_handler_pkey. No locks; one row or none.
select
  max_attempts, backoff_initial_micros, backoff_factor, backoff_max_micros, key_ordered, key_max_running, key_rate,
  key_burst, on_dead, max_unfinished
from task_handler where handler = :handler::text
