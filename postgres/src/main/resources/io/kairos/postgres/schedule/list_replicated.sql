-- Like list.sql, of the schedules that a replicated cron decides; the cron looks for them again and again, however many
-- other schedules there are. Index: schedule_replicated, in its order; task_queue_pkey, schedule_calendar_pkey. No locks;
-- at most :max_schedules rows, and as many looked at as have other statuses in between.
select
  s.*, q.handler, q.priority, {calendars}
from (
  select *
  from schedule p
  where p.decider = 'REPLICATED' and {asked_for}
  order by p.name
  limit :max_schedules::integer
) s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
order by s.name
