-- The number of a key. Index: task_key_handler_key_key. No locks; one row or none.
select id from task_key where handler = :handler::text and key = :key::text
