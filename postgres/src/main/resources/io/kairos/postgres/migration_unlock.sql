-- Ends a turn to migrate (migration_lock.sql), and one to contract (contract_lock.sql). The lock is the session's; one row.
select count(pg_advisory_unlock_all()::text)
