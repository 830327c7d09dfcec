-- Forgets how many edges tasks waited for that have ended. After the statement that ends them, because whoever ends a predecessor
-- locks quotas before these rows. Index: task_await_pkey, one probe per task. Locks the rows in the order of
-- the ids, sorted by the caller; at most as many as ids.
delete from task_await a using unnest(:ids::uuid[]) n (id) where a.task_id = any (array[n.id])
