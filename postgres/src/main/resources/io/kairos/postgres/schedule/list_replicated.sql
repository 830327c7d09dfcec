-- Like list.sql, of the schedules that a replicated cron decides; the cron looks for them again and again, however many
-- other schedules there are. Index: schedule_replicated, in its order; task_queue_pkey, schedule_calendar_pkey. No locks;
-- at most :max_schedules rows, and as many looked at as have other statuses in between.
select
  {shown}
from (
  select *
  from schedule p
  where p.decider = 'REPLICATED' and {listed}
