-- The state and the key of a task that is to be cancelled. Index: task_pkey. Locks the row; one or none.
select state, key_id from task where id = :id::uuid for update
