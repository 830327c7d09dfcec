-- What is unfinished of a batch and was not asked to be cancelled, the latest first; and the last task that was walked over, when as
-- many were as may be. One row without a task when there is none. Index: task_batch_member_pkey, in its order; task_pkey, one
-- probe per task. No locks; walks over at most :max_walked tasks, and returns at most :max_tasks rows.
with walked as materialized (
  select m.task_id
  from task_batch_member m
  where (m.batch_id, m.task_id) < (:id::uuid, :before::uuid)
    and (m.batch_id, m.task_id) >= (:id::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
  order by m.batch_id desc, m.task_id desc
  limit :max_walked::integer
)
select
  (select case when count(*) = :max_walked::integer then (array_agg(w.task_id order by w.task_id))[1] end from walked w),
  u.id
from (select) one
left join (
  select t.id
  from walked w
  cross join lateral (select n.id from task n where n.id = w.task_id and not n.cancel_requested offset 0) t
  order by t.id desc
  limit :max_tasks::integer) u on true
order by u.id desc
