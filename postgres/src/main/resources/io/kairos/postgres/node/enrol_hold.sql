-- Keeps nodes from enrolling (enrol_turn.sql) until the transaction ends, and waits for those that are about to: a node is counted
-- by older.sql, or is refused by what the transaction writes. Needs a transaction.
select pg_advisory_xact_lock(118066125107060)
