-- Removes a schedule, its use of calendars and its steps. Index: schedule_pkey, schedule_calendar_pkey, schedule_step_pkey. The row
-- is locked already; one schedule, at most 16 uses and 100 steps.
with unused as (
  delete from schedule_calendar where schedule_id = :id::uuid
), without_steps as (
  delete from schedule_step where schedule_id = :id::uuid
)
delete from schedule where id = :id::uuid
