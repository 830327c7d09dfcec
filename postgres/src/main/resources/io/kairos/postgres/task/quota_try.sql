-- Whether nobody else counts the tasks of a handler; if so nobody else does until the end of the transaction, see
-- quota_turn.sql. No index; one row.
select pg_try_advisory_xact_lock(hashtextextended('kairos quota ' || :handler::text, 0))
