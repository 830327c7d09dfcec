-- Locks the limits by key alone until the end of the transaction: waits for all that count for them, which wait for it.
select pg_advisory_xact_lock({limits_lock})
