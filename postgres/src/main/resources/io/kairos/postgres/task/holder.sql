-- Who holds a task. Index: task_pkey. No locks; one row or none.
select holder, fence from task where id = :id::uuid and holder is not null
