-- Locks unfinished tasks of schedules, to cancel them. Index: task_of_schedule, task_pkey. Locks the rows in the order of
-- their ids; at most :max_tasks of each schedule.
select t.id, t.state, t.key_id
from (
  select u.id
  from unnest(:schedules::uuid[]) n (id)
  cross join lateral (select p.id from task p where p.schedule_id = n.id order by p.id limit :max_tasks::integer) u
  order by u.id
) m
cross join lateral (select f.id, f.state, f.key_id from task f where f.id = m.id for update) t
