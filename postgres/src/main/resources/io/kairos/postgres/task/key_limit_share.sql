-- Keeps the limits by key as they are until the end of the transaction. Waits for those that change them or count anew.
select pg_advisory_xact_lock_shared({limits_lock})
