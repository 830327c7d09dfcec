-- Limits by key: tasks name limits, and operators set how many tasks that name one run at a time or begin per second.

-- The names of the limits that hold for the task, in their order, with commas between them; null for none.
alter table task add column limits text collate "C";
alter table finished_task add column limits text collate "C";

-- What operators have set: for one name, or with a star for all names that begin alike.
create table key_limit (
  pattern text collate "C" primary key,
  max_running integer check (max_running >= 0),
  rate double precision check (rate > 0),
  burst integer check (burst >= 1)
);

-- The use of each limited name. Who counts for a name locks its row, in the order of names, after ordering keys and before the
-- limits of queues.
create table key_use (
  name text collate "C" primary key,
  running integer not null default 0,
  tokens double precision,
  tokens_at bigint
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- The line before each limit: due tasks that were refused. They sleep, with a trigger that never comes, until they are woken. A
-- row may be left behind by a task that is cancelled or put off meanwhile; it is deleted when its turn comes.
create table key_wait (
  task_id uuid primary key,
  name text collate "C" not null,
  due bigint not null,
  -- when its turn is; null while it sleeps
  woken_at bigint
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

create index key_wait_line on key_wait (name, woken_at, due);

-- A node whose build does not know this migration would not count for limits, and not wake tasks that wait for one. So it may not
-- enrol while there are some; the first limit takes turns with enrolments by the lock of node/enrol_hold.sql.
create function kairos_refuse_node_before_limits() returns trigger
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock_shared(118066125107060);
  if exists (select from key_limit l) or exists (select from key_wait w) then
    raise exception using
      errcode = 'object_not_in_prerequisite_state',
      message = 'there are limits by key, or tasks that wait for one, which need nodes that know version 26 of the schema, and the build of this node'
        || ' knows versions up to ' || coalesce(new.schema_known, 4) || ' at most: start a later build';
  end if;
  return new;
end
$$;

create trigger node_before_limits
  before insert on node
  for each row when (coalesce(new.schema_known, 0) < 26)
  execute function kairos_refuse_node_before_limits();
