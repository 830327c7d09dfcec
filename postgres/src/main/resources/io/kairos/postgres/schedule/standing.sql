-- The deciders of schedules, and when the schedules are to be decided on next. Index: schedule_name_key, one probe per
-- name. No locks; at most as many rows as names.
select s.name, s.decider, s.next_at from schedule s where s.name = any (:names::text[])
