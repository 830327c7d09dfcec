-- Calendars by name. Index: business_calendar_pkey. No locks; at most as many rows as names.
select c.name, c.days, c.generation
from unnest(:names::text[]) n (name)
cross join lateral (select * from business_calendar p where p.name = n.name offset 0) c
order by c.name
