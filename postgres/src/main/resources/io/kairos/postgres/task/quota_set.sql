-- Sets the admission quota of a handler, null for none. Index: task_handler_pkey. Locks the row; one.
insert into task_handler (handler, max_unfinished)
values (:handler::text, :max_unfinished::bigint)
on conflict (handler) do update set max_unfinished = excluded.max_unfinished
