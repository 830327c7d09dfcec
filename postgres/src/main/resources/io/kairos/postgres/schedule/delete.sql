-- Removes a schedule and its use of calendars. Index: schedule_pkey, schedule_calendar_pkey. The row is locked already; one
-- schedule and at most 16 uses.
with unused as (
  delete from schedule_calendar where schedule_id = :id::uuid
)
delete from schedule where id = :id::uuid
