-- The queues that have had a task with a fairness key. Reads the whole table, which is small. No locks.
select q.id from task_queue q where q.is_fair and q.retired_at is null order by q.id
