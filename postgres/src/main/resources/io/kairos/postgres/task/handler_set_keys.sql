-- Sets how the keys of a handler are kept. Zeros stand for no bound. Index: task_handler_pkey. Locks the row; one.
insert into task_handler (handler, key_ordered, key_max_running, key_rate, key_burst, on_dead)
values (
  :handler::text, :ordered::boolean, nullif(:max_running::integer, 0), nullif(:rate::double precision, 0),
  nullif(:burst::integer, 0), :on_dead::"char")
on conflict (handler) do update
set
  key_ordered = excluded.key_ordered,
  key_max_running = excluded.key_max_running,
  key_rate = excluded.key_rate,
  key_burst = excluded.key_burst,
  on_dead = excluded.on_dead
