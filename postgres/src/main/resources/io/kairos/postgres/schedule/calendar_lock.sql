-- Keeps calendars from being deleted. Index: business_calendar_pkey. Locks the rows in the order of their names, sorted by
-- the caller; at most as many as names.
select c.name
from unnest(:names::text[]) n (name)
cross join lateral (select p.name from business_calendar p where p.name = n.name for key share) c
