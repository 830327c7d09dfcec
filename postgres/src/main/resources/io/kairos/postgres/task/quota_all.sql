-- Handlers with an admission quota. Reads the whole table, which has a row for each handler that has settings. No locks.
select handler from task_handler where max_unfinished is not null order by handler
