-- Removes the limit of a queue. Index: task_limit_pkey. Waits for claims and ends of the queue; one row or none.
delete from task_limit where queue_id = :queue_id::integer
