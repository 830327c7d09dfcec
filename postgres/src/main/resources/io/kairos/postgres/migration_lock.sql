-- Waits for a node's turn to migrate the schema; the lock is the session's. The number is "kairos" in ASCII.
select pg_advisory_lock(118066125107059)
