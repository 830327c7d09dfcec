-- Waits until no node takes anything away from the schema (contract_lock.sql), and keeps others from it until the transaction
-- ends: a node is counted by older.sql, or sees what was taken away. Needs a transaction.
select pg_advisory_xact_lock_shared(118066125107060)
