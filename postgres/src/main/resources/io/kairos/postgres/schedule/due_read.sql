-- Schedules with all that a decision on them depends on; their rows are locked. Index: schedule_pkey, task_queue_pkey,
-- task_of_schedule, finished_task_pkey, schedule_calendar_pkey, one probe each per schedule; unfinished tasks are counted
-- up to :most_counted. No locks; as many rows as ids, in their order.
select
  s.*, clock.micros as now, q.handler, q.priority, u.unfinished, l.state as last_state, l.finished_at as last_ended,
  {calendars}
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
cross join unnest(:ids::uuid[]) with ordinality n (id, place)
cross join lateral (select * from schedule p where p.id = n.id offset 0) s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
cross join lateral (
  select count(*) as unfinished
  from (select from task t where t.schedule_id = s.id limit :most_counted::integer) t
) u
left join lateral (select f.state, f.finished_at from finished_task f where f.id = s.last_run offset 0) l on true
order by n.place
