-- Whether nobody else counts what runs on limited queues: two who find the same missing would both add it. If so nobody else
-- does until the end of the transaction. No index; the lock is an advisory one; one row.
select pg_try_advisory_xact_lock(hashtextextended('kairos limits', 0))
