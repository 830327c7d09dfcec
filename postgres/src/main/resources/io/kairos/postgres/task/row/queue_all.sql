-- Every queue that is not retired. Reads the whole table, which has a row for each pair of handler and priority in use. No
-- locks.
select id, handler, priority from task_queue where retired_at is null order by id
