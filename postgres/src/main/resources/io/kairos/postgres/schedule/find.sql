-- One schedule. Index: schedule_name_key, task_queue_pkey, schedule_calendar_pkey. No locks; one row or none.
select
  s.*, q.handler, q.priority, {calendars}
from schedule s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
where s.name = :name::text
