-- Keeps nodes from enrolling (node/enrol_turn.sql) while something is taken away from the schema; the lock is the session's.
-- The number is the one of migration_lock.sql and one more.
select pg_advisory_lock(118066125107060)
