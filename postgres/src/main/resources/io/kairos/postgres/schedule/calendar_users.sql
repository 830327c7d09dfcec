-- The schedules that name a calendar, in the order of their ids; a schedule may come twice. Index: schedule_calendar_use. No
-- locks; as many rows as there are.
select c.schedule_id from schedule_calendar c where c.calendar = :name::text order by c.schedule_id
