-- The settings that session.sql changes, of a connection that is an application's, and whether it may write; a standby, which may
-- not either, is refused by its timeline. No locks; one row.
select json_object_agg(name, setting)::text,
  current_setting('transaction_read_only') = 'off' or pg_is_in_recovery()
from pg_settings
where name in (
  'search_path', 'default_transaction_isolation', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
  'plan_cache_mode', 'enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_memoize', 'jit')
