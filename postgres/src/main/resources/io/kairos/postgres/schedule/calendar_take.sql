-- Locks a calendar that is to be removed. Index: business_calendar_pkey. Waits for transactions that name it; one row or none.
select b.name from business_calendar b where b.name = :name::text for update
