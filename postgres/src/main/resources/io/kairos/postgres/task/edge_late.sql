-- Awaiting tasks without open edges. Index: task_await_late. No locks; at most :max_tasks rows.
select a.task_id from task_await a where a.open = 0 order by a.task_id limit :max_tasks::integer
