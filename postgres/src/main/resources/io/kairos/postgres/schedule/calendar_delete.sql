-- Removes a calendar that is locked and that no schedule names. Index: business_calendar_pkey, schedule_calendar_use. One row
-- or none.
delete from business_calendar b
where b.name = :name::text
  and (
    select c.calendar from schedule_calendar c where c.calendar = :name::text order by c.calendar limit 1
  ) is null
