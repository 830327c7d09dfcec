-- Notes the calendars that a schedule names. Index: schedule_calendar_pkey; writes all. At most 16 rows.
insert into schedule_calendar (schedule_id, calendar, kind)
select :id::uuid, n.calendar, n.kind
from unnest(:calendars::text[], :kinds::text[]) n (calendar, kind)
on conflict (schedule_id, calendar, kind) do nothing
