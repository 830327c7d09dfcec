-- What is unfinished of a batch and was not asked to be cancelled, the latest first; and the last task that was walked over, when as
-- many were as may be and fewer were found. One row without a task when there is none. Index: task_batch_member_pkey, in its order, which
-- is that of the result, so that the walk ends where enough are found; task_pkey, one probe per task that is walked over. No locks; walks
-- over at most :max_walked tasks, and returns at most :max_tasks rows.
with found as materialized (
  select t.id
  from (
    select m.batch_id, m.task_id
    from task_batch_member m
    where (m.batch_id, m.task_id) < (:id::uuid, :before::uuid)
      and (m.batch_id, m.task_id) >= (:id::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
    order by m.batch_id desc, m.task_id desc
    limit :max_walked::integer) w
  cross join lateral (select n.id from task n where n.id = w.task_id and not n.cancel_requested offset 0) t
  order by w.batch_id desc, w.task_id desc
  limit :max_tasks::integer
)
select
  case when (select count(*) from found) < :max_tasks::integer then (
    select m.task_id
    from task_batch_member m
    where (m.batch_id, m.task_id) < (:id::uuid, :before::uuid)
      and (m.batch_id, m.task_id) >= (:id::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
    order by m.batch_id desc, m.task_id desc
    limit 1 offset :max_walked::integer - 1)
  end,
  f.id
from (select) alone
left join found f on true
order by f.id desc
