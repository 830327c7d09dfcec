-- Sets the policy of a handler's keys. Zero stands for no bound. Index: task_handler_pkey. The row is locked already; one.
update task_handler
set
  key_ordered = :ordered::boolean,
  key_max_running = nullif(:max_running::integer, 0),
  key_rate = nullif(:rate::double precision, 0),
  key_burst = nullif(:burst::integer, 0),
  on_dead = :on_dead::"char"
where handler = :handler::text
