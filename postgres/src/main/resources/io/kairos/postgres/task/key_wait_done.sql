-- Takes tasks that have begun out of the line. Index: key_wait_pkey, one probe per task. The tasks are locked; at most as many rows
-- as ids.
delete from key_wait w using unnest(:ids::uuid[]) n (id) where w.task_id = any (array[n.id])
