-- Executions whose effect is in this database. Belongs into the database that keeps the effects.
create table if not exists kairos_execution (
  id text primary key,
  at timestamptz not null default clock_timestamp()
);
create index if not exists kairos_execution_at on kairos_execution (at)
