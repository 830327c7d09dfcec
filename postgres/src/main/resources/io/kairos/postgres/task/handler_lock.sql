-- The settings of a handler, to change them; inserts a row when there is none. Index: task_handler_pkey. Locks the row
-- until the end of the transaction. Transactions that count tasks of a handler with an admission quota wait for it; one
-- row.
insert into task_handler (handler)
values (:handler::text)
on conflict (handler) do update set max_unfinished = task_handler.max_unfinished
returning
  max_attempts, backoff_initial_micros, backoff_factor, backoff_max_micros, key_ordered, key_max_running, key_rate,
  key_burst, on_dead, max_unfinished
