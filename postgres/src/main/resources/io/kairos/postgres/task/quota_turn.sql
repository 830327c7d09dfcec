-- Waits until nobody else counts the tasks of a handler: two who find the same missing would both add it. No index; the lock
-- is an advisory one, until the end of the transaction; one row.
select pg_advisory_xact_lock(hashtextextended('kairos quota ' || :handler::text, 0))
