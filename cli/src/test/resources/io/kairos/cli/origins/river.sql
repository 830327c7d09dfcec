-- The tables of River that an import meets, as its migrations 1 to 6 leave them.
create type river_job_state as enum
  ('available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled');

create table river_job (
  id bigserial primary key,
  state river_job_state not null default 'available',
  attempt smallint not null default 0,
  max_attempts smallint not null check (max_attempts > 0),
  attempted_at timestamptz,
  created_at timestamptz not null default now(),
  finalized_at timestamptz,
  scheduled_at timestamptz not null default now(),
  priority smallint not null default 1 check (priority between 1 and 4),
  args jsonb not null,
  attempted_by text[],
  errors jsonb[],
  kind text not null check (char_length(kind) between 1 and 127),
  metadata jsonb not null default '{}',
  queue text not null default 'default' check (char_length(queue) between 1 and 127),
  tags varchar(255)[] not null default '{}',
  unique_key bytea,
  unique_states bit(8),
  check ((finalized_at is null) = (state not in ('cancelled', 'completed', 'discarded')))
);
