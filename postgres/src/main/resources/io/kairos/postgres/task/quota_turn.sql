-- Waits for the turn to count the tasks of a handler: two transactions that find the same difference would both add it. No
-- index; the lock is an advisory one, until the end of the transaction; one row.
select pg_advisory_xact_lock(hashtextextended('kairos quota ' || :handler::text, 0))
