-- The queues that have had a task with a fairness key. Reads the whole table, which is small. No locks.
select id from task_queue where is_fair and retired_at is null order by id
