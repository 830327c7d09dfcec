-- Removes keys that no task refers to and that are not blocked. A transaction that adds a task to a key locks its row
-- first: the rows are locked already, by a statement before this one. Index: task_key_pkey, task_of_key, one probe each per
-- key; as many rows as ids.
delete from task_key k
using unnest(:ids::bigint[]) n (id)
where k.id = any (array[n.id])
  and k.occupied = 0
  and k.head is null
  and k.blocked_by is null
  and (select t.id from task t where t.key_id = k.id limit 1) is null
