-- Calendars by name. Index: business_calendar_pkey, in its order. No locks; at most :max_calendars rows.
select c.name, c.days, c.generation
from business_calendar c
where c.name > :after::text
order by c.name
limit :max_calendars::integer
