-- Forgets errors of tasks that are not ended by them any more, of those that were noted at :until or earlier, the latest first:
-- nodes of an earlier version have put them back. Index: task_error_ended, finished_task_pkey, task_error_pkey. Locks the rows
-- that it removes; looks at :max_looked entries.
delete from task_error
where task_id = any (array(
    select e.task_id
    from (
      select t.task_id
      from task_error t
      where t.state in ('F', 'D') and t.ended_at <= :until::bigint
      order by t.ended_at desc
      limit :max_looked::integer) e
    where not exists (
      select 1 from finished_task f where f.id = e.task_id and f.state::text in ('F', 'D') offset 0)))
  -- what has failed anew meanwhile is noted with a later time
  and ended_at <= :until::bigint
