-- Takes the turn to count the tasks of a handler, and returns false if another transaction has it; see quota_turn.sql.
-- Holds it until the end of the transaction. No index; one row.
select pg_try_advisory_xact_lock(hashtextextended('kairos quota ' || :handler::text, 0))
