-- Schedules with all that a decision on them depends on; their rows are locked. Index: schedule_pkey, task_queue_pkey,
-- task_of_schedule, finished_task_pkey, task_pkey, schedule_step_pkey, schedule_calendar_pkey, one probe each per schedule, or a
-- range of as many tasks as a run has; runs with unfinished tasks are counted among :most_counted tasks, with steps among
-- :most_tasks, which stand for :most_counted runs. The tasks of a run differ in the last two digits of their ids alone. No locks; as
-- many rows as ids, in their order.
select
  s.*, clock.micros as now, q.handler, q.priority, u.unfinished, l.state as last_state, l.finished_at as last_ended,
  array(select p.queue_id from schedule_step p where p.schedule_id = s.id order by p.position) as step_queues,
  {calendars}
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
cross join unnest(:ids::uuid[]) with ordinality n (id, place)
cross join lateral (select * from schedule p where p.id = n.id offset 0) s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
cross join lateral (
  select
    case
      when count(*) >= :most_tasks::integer then :most_counted::integer
      else count(distinct left(t.id::text, 34))
    end as unfinished
  from (
    select t.id from task t
    where t.schedule_id = s.id
    limit case when s.steps is null then :most_counted::integer else :most_tasks::integer end) t
) u
left join lateral ({last_end} offset 0) l on l.state is not null
order by n.place
