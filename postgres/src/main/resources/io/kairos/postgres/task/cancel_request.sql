-- Requests the cancel of tasks that workers perform. Index: task_pkey. The rows are locked already; as many as ids.
update task set cancel_requested = true where id = any (:ids::uuid[])
