-- Bounds the wait of a migration for a lock, behind which others wait. No locks; one row.
select set_config('lock_timeout', :millis::text, false)
