-- The tables of pg-boss 12 that an import meets.
create schema pgboss;

create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');

create table pgboss.queue (
  name text primary key,
  policy text not null default 'standard'
);

create table pgboss.schedule (
  name text references pgboss.queue on delete cascade,
  key text not null default '',
  cron text not null,
  timezone text,
  data jsonb,
  options jsonb,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  primary key (name, key)
);

create table pgboss.job (
  id uuid not null default gen_random_uuid(),
  name text not null,
  priority integer not null default 0,
  data jsonb,
  state pgboss.job_state not null default 'created',
  retry_limit integer not null default 2,
  retry_count integer not null default 0,
  retry_delay integer not null default 0,
  retry_backoff boolean not null default false,
  retry_delay_max integer,
  expire_seconds integer not null default 900,
  deletion_seconds integer not null default 604800,
  singleton_key text,
  singleton_on timestamp,
  group_id text,
  group_tier text,
  start_after timestamptz not null default now(),
  created_on timestamptz not null default now(),
  started_on timestamptz,
  completed_on timestamptz,
  keep_until timestamptz not null default now() + interval '14 days',
  output jsonb,
  dead_letter text,
  policy text,
  heartbeat_on timestamptz,
  heartbeat_seconds integer,
  blocked boolean not null default false,
  blocking boolean not null default false,
  pending_dependencies integer not null default 0,
  primary key (name, id)
) partition by list (name);

create table pgboss.job_common partition of pgboss.job default;
