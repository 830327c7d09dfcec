-- Schedules that start graphs. Results of predecessors with the task, which come with them, need task.has_predecessors: that column
-- is of migration 20, whose kairos_schedule sets it.

-- Further tasks of each fire, as StepCodec writes them, and their payloads apart, so that lists need not read these.
alter table schedule add column steps bytea, add column step_payloads bytea;
alter table schedule alter step_payloads set storage external;

-- The last run for which the next one has to wait, while runs of several tasks follow each other.
alter table schedule add column turn uuid;

-- The queues of steps, so that none is forgotten. By it nodes see that there are such schedules.
create table schedule_step (
  schedule_id uuid not null,
  -- from 0
  position integer not null,
  queue_id integer not null,
  primary key (schedule_id, position)
);
-- Queues that schedules use: row/queue_retire.
create index schedule_step_queue on schedule_step (queue_id);

-- A node whose build does not know this migration would fire such a schedule by its first task alone. So it may not enrol while
-- there is one; the first one takes turns with enrolments by the lock of node/enrol_hold.sql.
create function kairos_refuse_node_before_steps() returns trigger
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock_shared(118066125107060);
  if exists (select from schedule_step s) then
    raise exception using
      errcode = 'object_not_in_prerequisite_state',
      message = 'schedules start graphs of tasks, which needs nodes that know version 21 of the schema, and the build of this node'
        || ' knows versions up to ' || coalesce(new.schema_known, 4) || ' at most: start a later build';
  end if;
  return new;
end
$$;

create trigger node_before_steps
  before insert on node
  for each row when (coalesce(new.schema_known, 0) < 21)
  execute function kairos_refuse_node_before_steps();
