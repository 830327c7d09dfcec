-- Has the batches of tasks that were put back end again, but not those that are being removed. Index: task_pkey, one probe per task; task_batch_pkey. Locks the batches in
-- the order of their ids; at most as many rows as ids.
with locked as materialized (
  select b.id
  from task_batch b
  where b.id = any (array(
    select t.batch_id
    from unnest(:ids::uuid[]) n (id)
    cross join lateral (select p.batch_id from task p where p.id = n.id offset 0) t
    where t.batch_id is not null))
    and not b.pruning
  order by b.id
  for no key update
)
update task_batch b set ended = null, completed_at = null from locked l where b.id = any (array[l.id])
