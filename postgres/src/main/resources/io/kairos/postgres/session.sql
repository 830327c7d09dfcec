-- Run once on every new connection: settings of the session, and what must be true of the store. No locks; one row.
-- Plans must not depend on statistics, which a table that fills and empties by the minute has always wrong: generic
-- plans, and index probes wherever there is a choice. A transaction whose node has stopped must not keep its locks.
-- The timeline is that of the WAL now: the one of pg_control_checkpoint() is the former one until the checkpoint after a
-- promotion. Every role may read all of it, unless the right was revoked from PUBLIC.
select
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('server_encoding') as server_encoding,
  pg_is_in_recovery() as in_recovery,
  (select system_identifier::text from pg_control_system()) as cluster,
  case when pg_is_in_recovery() then 0
    else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end as timeline,
  current_setting('synchronous_standby_names') = '' and (
    exists (select from pg_stat_replication)
    or exists (select from pg_replication_slots where slot_type = 'physical')) as asynchronous,
  set_config('search_path', coalesce(quote_ident(nullif(:schema::text, '')), current_setting('search_path')), false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('statement_timeout', :statement_timeout_millis::text, false),
  set_config('lock_timeout', :lock_timeout_millis::text, false),
  set_config('idle_in_transaction_session_timeout', :statement_timeout_millis::text, false),
  set_config('plan_cache_mode', 'force_generic_plan', false),
  set_config('enable_seqscan', 'off', false),
  set_config('enable_bitmapscan', 'off', false),
  set_config('enable_hashjoin', 'off', false),
  set_config('enable_mergejoin', 'off', false),
  set_config('enable_memoize', 'off', false),
  set_config('jit', 'off', false)
