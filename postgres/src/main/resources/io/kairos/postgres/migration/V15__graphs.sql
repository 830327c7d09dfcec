-- Tasks that wait for others: a state for them, the edges between tasks, and which ends are not yet carried through.

-- Waits for its predecessors, as long as it has a row of task_await.
alter table task
  drop constraint task_state_check,
  add constraint task_state_check check (state in ('N', 'E', 'P', 'R', 'A', 'B', 'H')) not valid;

-- Some task waits for it, or has: looked at by whatever ends the task, so that other tasks pay nothing for the edges.
alter table task add column has_successors boolean not null default false;

-- One task waits for another. Kept until the successor is removed from the history.
create table task_edge (
  predecessor uuid not null,
  successor uuid not null,
  -- when the predecessor ends without success: block, fail, continue
  on_failure "char" not null check (on_failure in ('B', 'F', 'C')),
  -- until the predecessor has ended as the successor waits for
  open boolean not null,
  primary key (predecessor, successor)
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- What a task waits for, or has waited for: edge_graph, edge_put_back.
create index task_edge_successor on task_edge (successor);

-- Awaiting tasks, each with the number of its open edges. Apart from task, because it is written for each predecessor.
create table task_await (
  task_id uuid primary key,
  queue_id integer not null,
  open integer not null check (open >= 0)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- What is unfinished of a handler: quota_count, queue_retire, queue_forget.
create index task_await_queue on task_await (queue_id);
-- Those that were locked when the last of their edges was closed: edge_late.
create index task_await_late on task_await (task_id) where open = 0;

-- Tasks that have ended, and whose successors have not all been told.
create table task_ended (
  task_id uuid primary key
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- A node whose build does not know this migration would let awaiting tasks begin when they are rescheduled. So it may not enrol
-- while there are edges; the first edge takes turns with enrolments by the lock of node/enrol_hold.sql.
create function kairos_refuse_node_before_graphs() returns trigger
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock_shared(118066125107060);
  if exists (select from task_edge e) then
    raise exception using
      errcode = 'object_not_in_prerequisite_state',
      message = 'tasks wait for other tasks, which needs nodes that know version 15 of the schema, and the build of this node'
        || ' knows versions up to ' || coalesce(new.schema_known, 4) || ' at most: start a later build';
  end if;
  return new;
end
$$;

create trigger node_before_graphs
  before insert on node
  for each row when (coalesce(new.schema_known, 0) < 15)
  execute function kairos_refuse_node_before_graphs();
