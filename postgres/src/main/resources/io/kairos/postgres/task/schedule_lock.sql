-- Locks unfinished tasks of schedules, to cancel them, or (:in_turn) those for which the next run of the schedule waits, whose ids
-- go up to :up_to. Index: task_of_schedule, task_pkey. Locks the rows in the order of their ids; at most :max_tasks of each schedule
-- to cancel, and :max_awaited to wait for.
select t.id, t.state, t.key_id, m.schedule_id, m.is_cancelled
from (
  select u.id, n.id as schedule_id, true as is_cancelled
  from unnest(:schedules::uuid[]) n (id)
  cross join lateral (select p.id from task p where p.schedule_id = n.id order by p.id limit :max_tasks::integer) u
  union all
  select u.id, n.id, false
  from unnest(:in_turn::uuid[], :up_to::uuid[]) n (id, up_to)
  cross join lateral (
    select p.id
    from task p
    where p.schedule_id = n.id and p.id <= n.up_to
    order by p.id
    limit :max_awaited::integer) u
  order by 1
) m
cross join lateral (select f.id, f.state, f.key_id from task f where f.id = m.id for update) t
