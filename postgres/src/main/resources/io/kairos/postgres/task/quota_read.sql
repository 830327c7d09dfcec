-- The admission quota of a handler. Index: task_handler_pkey. No locks; one row or none.
select max_unfinished, unfinished from task_handler where handler = :handler::text and max_unfinished is not null
