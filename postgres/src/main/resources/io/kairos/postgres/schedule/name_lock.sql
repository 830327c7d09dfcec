-- Locks one schedule. Index: schedule_name_key. Waits for whoever is deciding it; one row or none.
select s.id from schedule s where s.name = :name::text for update
