-- Requests the cancel of a task that a worker performs. Index: task_pkey. The row is locked already; one row.
update task set cancel_requested = true where id = :id::uuid
