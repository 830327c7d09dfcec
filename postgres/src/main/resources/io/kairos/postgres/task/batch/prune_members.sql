-- Forgets which tasks were in batches. Index: task_batch_member_pkey, then by ctid. The batches are locked already; at most
-- :max_tasks rows.
delete from task_batch_member
where ctid = any (array(
  select m.ctid
  from unnest(:ids::uuid[]) b (id)
  cross join lateral (
    select p.ctid from task_batch_member p where p.batch_id = b.id limit :max_tasks::integer) m
  limit :max_tasks::integer))
