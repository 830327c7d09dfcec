-- The table of jobs of pg-boss 9, whose columns have no underscores.
create schema pgboss;

create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'expired', 'cancelled', 'failed');

create table pgboss.job (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  priority integer not null default 0,
  data jsonb,
  state pgboss.job_state not null default 'created',
  retrylimit integer not null default 0,
  retrycount integer not null default 0,
  retrydelay integer not null default 0,
  retrybackoff boolean not null default false,
  startafter timestamptz not null default now(),
  startedon timestamptz,
  singletonkey text,
  singletonon timestamp,
  expirein interval not null default interval '15 minutes',
  createdon timestamptz not null default now(),
  completedon timestamptz,
  keepuntil timestamptz not null default now() + interval '14 days',
  on_complete boolean not null default false,
  output jsonb
);
