-- Batches: tasks of one handler that are counted, waited for and cancelled together.

-- The batch that the task has joined.
alter table task add column batch_id uuid;
alter table finished_task add column batch_id uuid;

-- Locked by whoever adds tasks, closes, counts or ends a batch; by nobody who ends its tasks.
create table task_batch (
  id uuid primary key,
  handler text collate "C" not null,
  name text collate "C",
  created_at bigint not null,
  created_by text,
  -- tasks that have joined
  total integer not null default 0,
  -- ends of these, apart from those in task_batch_end
  succeeded integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  dead integer not null default 0,
  -- no more tasks join it since then
  closed_at bigint,
  -- how it has ended, and when, unless a task of it was put back: succeeded, failed, cancelled
  ended "char" check (ended in ('S', 'F', 'C')),
  completed_at bigint,
  -- it has begun to be removed, task by task, and does not reopen
  pruning boolean not null default false,
  constraint an_end_has_a_time check ((ended is null) = (completed_at is null))
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- Names: batch/insert, batch/find_name.
create unique index task_batch_name on task_batch (handler, name) where name is not null;
-- Those of a handler: batch/list, which repeats the condition, so that nothing else is served by it.
create index task_batch_handler on task_batch (handler, id) where handler <> '';
-- Those that are about to end: batch/due.
create index task_batch_due on task_batch (id)
  where closed_at is not null and ended is null and total = succeeded + failed + cancelled + dead;
-- Those that may be removed: batch/prune_members.
create index task_batch_age on task_batch (ended, completed_at) where ended is not null;

-- The tasks of a batch, also those that were removed from the history. It stands for an index of task and finished_task, which
-- could not be built while these are written.
create table task_batch_member (
  batch_id uuid not null,
  task_id uuid not null,
  primary key (batch_id, task_id)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- Ends of tasks that the row of their batch does not count yet; fewer than none for tasks that were put back. Only added to by
-- those who end tasks, so that they do not wait for each other.
create table task_batch_end (
  id bigint generated always as identity primary key,
  batch_id uuid not null,
  state "char" not null check (state in ('S', 'F', 'C', 'D')),
  tasks integer not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_cost_delay = 0
);

-- What is to be counted of a batch: batch/find.
create index task_batch_end_batch on task_batch_end (batch_id);

-- Every way in which a task ends writes it to the history; so no statement that ends tasks can forget its batch.
create function kairos_note_batch_end() returns trigger
language plpgsql
as $$
begin
  insert into task_batch_end (batch_id, state, tasks) values (new.batch_id, new.state, 1);
  return null;
end
$$;

do $$
begin
  execute format('alter function kairos_note_batch_end set search_path = %I, pg_temp', current_schema());
end
$$;

-- Tasks without a batch cost a comparison with null.
create trigger finished_task_of_batch
  after insert on finished_task
  for each row when (new.batch_id is not null)
  execute function kairos_note_batch_end();

-- A node whose build does not know this migration would take a task's batch from it. So it may not enrol while there are
-- batches; the first batch takes turns with enrolments by the lock of node/enrol_hold.sql.
create function kairos_refuse_node_before_batches() returns trigger
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock_shared(118066125107060);
  if exists (select from task_batch b) then
    raise exception using
      errcode = 'object_not_in_prerequisite_state',
      message = 'there are batches of tasks, which need nodes that know version 18 of the schema, and the build of this node'
        || ' knows versions up to ' || coalesce(new.schema_known, 4) || ' at most: start a later build';
  end if;
  return new;
end
$$;

create trigger node_before_batches
  before insert on node
  for each row when (coalesce(new.schema_known, 0) < 18)
  execute function kairos_refuse_node_before_batches();
