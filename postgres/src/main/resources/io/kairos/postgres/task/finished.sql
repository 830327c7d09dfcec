-- A row if a task has ended. Index: finished_task_pkey. No locks; one row or none.
select state from finished_task where id = :id::uuid
