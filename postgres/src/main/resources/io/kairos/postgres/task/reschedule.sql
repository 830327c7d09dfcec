-- Gives a task that no worker performs another due time and no holder, unless that is past its start deadline. A blocked
-- task waits for its turn again. The cast keeps the partial indexes out. Index: task_pkey. Locks the row; one or none.
update task
set
  due_at = :due::bigint,
  next_trigger = :due::bigint,
  state = case when state = 'A' then 'A'::"char" when attempt = 0 then 'N'::"char" else 'R'::"char" end,
  holder = null,
  fence = fence + 1
where id = :id::uuid and state::text <> 'P' and (start_deadline is null or start_deadline >= :due::bigint)
returning key_id
