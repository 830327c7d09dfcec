-- Notes that queues have tasks with fairness keys. Index: task_queue_pkey. Locks the rows that it changes, one after the other;
-- as many as ids, and none after the first time.
update task_queue
set is_fair = true
where id = any (:ids::integer[]) and not is_fair
