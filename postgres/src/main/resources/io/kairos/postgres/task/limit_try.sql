-- Takes the turn to count the tasks that run on limited queues, and returns false if another transaction has it: two that
-- find the same difference would both add it. Holds it until the end of the transaction. No index; the lock is an advisory
-- one; one row.
select pg_try_advisory_xact_lock(hashtextextended('kairos limits', 0))
