-- Schedules by name, of the statuses given (an empty array for all) and the decider (null for any), whose names begin with
-- :prefix, after :after. Index: schedule_name_key, in its order; task_queue_pkey, schedule_calendar_pkey. No locks; at most
-- :max_schedules rows, and as many looked at as have other statuses or deciders in between.
select
  s.*, q.handler, q.priority,
  array(
    select c.kind || ' ' || c.calendar from schedule_calendar c where c.schedule_id = s.id order by c.calendar, c.kind
  ) as calendars
from (
  select *
  from schedule p
  where p.name > :after::text
    and p.name >= :prefix::text
    and p.name < :prefix::text || '~'
    and (cardinality(:statuses::text[]) = 0 or p.status = any (:statuses::text[]))
    and (:decider::text is null or p.decider = :decider::text)
  order by p.name
  limit :max_schedules::integer
) s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
order by s.name
