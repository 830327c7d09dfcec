-- Sets the policy of a handler's keys and its admission quota. Zero stands for no bound of the keys, null for no quota; a
-- handler that had no quota begins with a count of zero. Index: task_handler_pkey. The row is locked already; one.
update task_handler h
set
  key_ordered = :ordered::boolean,
  key_max_running = nullif(:max_running::integer, 0),
  key_rate = nullif(:rate::double precision, 0),
  key_burst = nullif(:burst::integer, 0),
  on_dead = :on_dead::"char",
  max_unfinished = :max_unfinished::bigint,
  unfinished = case when h.max_unfinished is null then 0 else h.unfinished end
where h.handler = :handler::text
