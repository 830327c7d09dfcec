-- The same as list of the schedules that a replicated cron decides, for which it looks again and again, among however many
-- others. Index: schedule_replicated, in its order; task_queue_pkey, schedule_calendar_pkey. No locks; at most :max_schedules
-- rows, and as many looked at as have other statuses in between.
select
  s.*, q.handler, q.priority,
  array(
    select c.kind || ' ' || c.calendar from schedule_calendar c where c.schedule_id = s.id order by c.calendar, c.kind
  ) as calendars
from (
  select *
  from schedule p
  where p.decider = 'REPLICATED'
    and p.name > :after::text
    and p.name >= :prefix::text
    and p.name < :prefix::text || '~'
    and (cardinality(:statuses::text[]) = 0 or p.status = any (:statuses::text[]))
  order by p.name
  limit :max_schedules::integer
) s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
order by s.name
