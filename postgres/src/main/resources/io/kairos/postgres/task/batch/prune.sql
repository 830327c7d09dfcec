-- Removes those of these batches of which no tasks are remembered. Index: task_batch_pkey, task_batch_member_pkey. The rows are locked
-- already; at most as many as ids.
delete from task_batch b
using unnest(:ids::uuid[]) n (id)
where b.id = any (array[n.id])
  and not exists (select from task_batch_member m where m.batch_id = n.id offset 0)
