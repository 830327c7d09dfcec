-- Schedules by name, of the statuses given (an empty array for all) and the decider (null for any), whose names begin with
-- :prefix and are like one of :patterns (an empty array for all), after :after and up to :last_looked (null for the end). Index:
-- schedule_name_key, in its order; task_queue_pkey, schedule_calendar_pkey. No locks; at most :max_schedules rows, and as many looked
-- at as have other names that begin so, statuses or deciders in between, which list_end.sql bounds.
select
  {shown}
from (
  select *
  from schedule p
  where (:decider::text is null or p.decider = :decider::text)
    and {listed}
