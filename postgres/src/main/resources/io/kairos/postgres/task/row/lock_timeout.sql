-- Bounds how long each further statement of this transaction waits for a lock. No index, no locks; one row.
select set_config('lock_timeout', :lock_timeout_millis::text, true)
