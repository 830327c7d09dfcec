-- Waits until nobody else counts tasks of a handler. Index: task_handler_pkey. Locks the row; one or none.
select handler from task_handler where handler = :handler::text for no key update
