-- Makes a task that waits for another attempt due now. Index: task_pkey. The row is locked already; one.
update task
set
  state = 'R',
  holder = null,
  fence = fence + 1,
  next_trigger = (extract(epoch from clock_timestamp()) * 1000000)::bigint
where id = :id::uuid
