-- Ordering keys, collections, start deadlines, policies of handlers, limits of queues, gates, idempotency. Additions only.

alter table task
  -- by which tasks of a handler are paused and dropped together
  add column collection text,
  -- of task_key; not a foreign key, whose trigger would cost the many tasks that have none: whoever adds a task to a key
  -- holds a lock on the key's row, which keeps it from being pruned
  add column key_id bigint,
  -- no attempt begins after it
  add column start_deadline bigint,
  drop constraint task_state_check,
  -- also blocked behind its key, held back by a paused collection
  add constraint task_state_check check (state in ('N', 'E', 'P', 'R', 'B', 'H'));

-- All live tasks of a key in due order; those that wait for it; those whose attempts have failed.
create index task_of_key on task (key_id, due_at, id) where key_id is not null;
create index task_blocked on task (key_id, due_at, id) where state = 'B';
create index task_key_failing on task (key_id) where key_id is not null and state in ('R', 'E') and attempt > 0;
-- What is held back by a pause; what belongs to a collection.
create index task_paused on task (queue_id, collection) where state = 'H';
create index task_collection on task (queue_id, collection, id) where collection is not null;
-- What has not begun in time.
create index task_start_deadline on task (start_deadline) where start_deadline is not null and state <> 'P';

alter table finished_task
  add column collection text,
  add column key text,
  add column start_deadline bigint,
  -- a task that is put back keeps its id, and its fence goes on rising; null for tasks that ended before there was this column
  add column fence bigint;

-- Ordering keys: at most one row per pair, locked by whoever decides which of its tasks runs. Removed when nothing refers to it.
create table task_key (
  id bigint generated always as identity primary key,
  handler text collate "C" not null,
  key text collate "C" not null,
  -- tasks of the key that workers perform
  occupied integer not null default 0,
  -- of an ordered key the task that has begun and not ended
  head uuid,
  -- a head that has failed for good, until an operator skips it or has it tried again
  blocked_by uuid,
  -- of a key with a rate: how many may start now; all null until the first start
  tokens double precision,
  tokens_at bigint,
  unique (handler, key)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_cost_delay = 0
);

create index task_key_blocked on task_key (id) where blocked_by is not null;

-- What is set for a handler; one without a row has the defaults.
create table task_handler (
  handler text collate "C" primary key,
  -- of tasks that were given none; all four null for the shipped one
  max_attempts integer,
  backoff_initial_micros bigint,
  backoff_factor double precision,
  backoff_max_micros bigint,
  -- admission quota, and how many there are; counted only while there is a quota
  max_unfinished bigint,
  unfinished bigint not null default 0,
  -- tasks of a key: one at a time in due order, or else up to key_max_running (null: no bound) at a time
  key_ordered boolean not null default true,
  key_max_running integer check (key_max_running >= 1),
  -- starts of each key per second, and how many at once after a pause
  key_rate double precision check (key_rate > 0),
  key_burst integer check (key_burst >= 1),
  -- when the head of an ordered key fails for good: it is parked and the next begins, or it blocks its key
  on_dead "char" not null default 'P' check (on_dead in ('P', 'B'))
);

-- Limits of a queue over all nodes.
create table task_limit (
  queue_id integer primary key,
  max_running integer check (max_running >= 0),
  running integer not null default 0,
  rate double precision check (rate > 0),
  burst integer check (burst >= 1),
  tokens double precision,
  tokens_at bigint
) with (fillfactor = 50);

-- Handlers and collections whose tasks are not begun for now, or are dropped.
create table task_gate (
  handler text collate "C" not null,
  -- empty for the whole handler
  collection text collate "C" not null default '',
  -- pause, drop
  mode "char" not null check (mode in ('P', 'D')),
  -- lifts itself then
  until bigint,
  note text not null,
  since bigint not null,
  primary key (handler, collection)
);

-- Idempotency keys and the task that each stands for.
create table task_request (
  handler text collate "C" not null,
  key text collate "C" not null,
  task_id uuid not null,
  -- while unfinished, for a time, for ever
  mode "char" not null check (mode in ('U', 'T', 'E')),
  until bigint,
  primary key (handler, key)
);

create index task_request_until on task_request (until) where until is not null;
create index task_request_task on task_request (task_id);
