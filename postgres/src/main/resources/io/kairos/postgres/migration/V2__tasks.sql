-- Tasks that workers pull. Times are bigint microseconds since 1970; triggers are compared with the store's clock.

-- The ready tasks of one handler at one priority. The number stands for the pair in all other tables.
create table task_queue (
  id integer generated always as identity primary key,
  handler text collate "C" not null,
  priority smallint not null check (priority between 0 and 100),
  unique (handler, priority)
);

-- Unfinished tasks: ATF's entity and its scheduling index in one row, so that a state and its trigger are one write.
create table task (
  id uuid primary key,
  next_trigger bigint not null,
  due_at bigint not null,
  created_at bigint not null,
  -- raised by whatever changes the holder
  fence bigint not null,
  queue_id integer not null,
  -- attempts that were begun
  attempt integer not null,
  -- new, enqueued, processing, retriable failure
  state "char" not null check (state in ('N', 'E', 'P', 'R')),
  cancel_requested boolean not null default false,
  -- a node while enqueued, a worker while processing
  holder text,
  -- all four null for the default
  max_attempts integer,
  backoff_initial_micros bigint,
  backoff_factor double precision,
  backoff_max_micros bigint,
  execution_timeout_micros bigint,
  traceparent text,
  -- the last ten, [{"attempt": 1, "at": micros, "error": "..."}]
  failures jsonb,
  payload bytea not null,
  constraint who_holds_it check ((holder is not null) = (state in ('E', 'P')))
) with (
  -- The table turns over many times an hour: vacuum by count, not by share, and without pauses.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_cost_delay = 0
);

-- Large payloads go out of line as they are: opaque, compressing them is the application's choice.
alter table task alter column payload set storage external;

-- The store consumer: what of a queue may be enqueued next.
create index task_waiting on task (queue_id, next_trigger) where state in ('N', 'R');
-- Whose holder has not been heard of.
create index task_held on task (next_trigger) where state in ('E', 'P');

-- Tasks that have ended. The payload is kept of those that can be put back.
create table finished_task (
  id uuid primary key,
  finished_at bigint not null,
  due_at bigint not null,
  created_at bigint not null,
  queue_id integer not null,
  attempt integer not null,
  -- succeeded, failed, cancelled, dead
  state "char" not null check (state in ('S', 'F', 'C', 'D')),
  max_attempts integer,
  backoff_initial_micros bigint,
  backoff_factor double precision,
  backoff_max_micros bigint,
  execution_timeout_micros bigint,
  traceparent text,
  failures jsonb,
  payload bytea
) with (
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000
);

alter table finished_task alter column payload set storage external;

-- Pruning by age, for each end its own. Not brin: its ranges never narrow again, so after the first round of pruning every
-- one of them would match. A batch of ends carries one time, so that the entries of successes are nearly free.
-- The cast keeps the index out of lists.
create index finished_task_success_age on finished_task (finished_at) where state = 'S';
create index finished_task_other_age on finished_task ((state::text), finished_at) where state <> 'S';
-- Listing what did not succeed, among many that did; successes are found by walking the primary key.
create index finished_task_other on finished_task (state, id) where state <> 'S';
