-- Every queue. Reads the whole table, which has a row for each pair of handler and priority that was ever used. No locks.
select id, handler, priority from task_queue order by id
