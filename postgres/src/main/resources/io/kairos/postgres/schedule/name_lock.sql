-- Locks one schedule. Index: schedule_name_key. Waits for a transaction that is deciding on it; one row or none.
select s.id from schedule s where s.name = :name::text for update
