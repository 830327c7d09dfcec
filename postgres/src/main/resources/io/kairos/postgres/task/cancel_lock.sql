-- The state of a task that is to be cancelled. Index: task_pkey. Locks the row; one or none.
select state from task where id = :id::uuid for update
