-- The number of queues that were made for :maker. Reads the whole table, which is small. No locks; one row.
select count(*)::integer from task_queue where made_by = :maker::text
