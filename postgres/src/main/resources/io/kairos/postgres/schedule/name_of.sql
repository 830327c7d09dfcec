-- The name of a schedule. Index: schedule_pkey. No locks; at most one row.
select s.name from schedule s where s.id = :id::uuid
