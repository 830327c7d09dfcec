-- Bounds how long each further statement of this transaction runs. No index, no locks; one row.
select set_config('statement_timeout', :statement_timeout_millis::text, true)
