-- Waits until no other transaction changes the limit of a queue, which may have none yet. Index: task_queue_pkey. Locks the
-- row of the queue, which no other statement locks, until the end of the transaction.
select q.id from task_queue q where q.id = :queue_id::integer for no key update
