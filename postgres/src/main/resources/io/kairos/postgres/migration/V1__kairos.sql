-- All that Kairos keeps. Tables with their checks, then indexes, then the view and the function for others. Later versions
-- follow as files of their own, which are never edited: see docs/operations.md.
--
-- Times that a node's clock or a caller gives are bigint microseconds since 1970 (exact to the year 9999, eight bytes on the
-- wire and in an index), and so are lengths. Times that only the store's clock gives are timestamptz.
-- Between tables that grow with what is stored there are no foreign keys: one would cost a look-up for each row.
-- Tables that turn over many times an hour are vacuumed by count, not by share, and without pauses. Payloads go out of line
-- as they are: they are opaque, and compressing them is the application's choice.

-- Tables: nodes -----------------------------------------------------------------------------------------------------------

-- Which nodes are believed alive, by the store's clock.
create table node (
  id uuid primary key,
  enrolled_at timestamptz not null,
  renewed_at timestamptz not null,
  retired_at timestamptz,
  -- the silence after which the node counts as dead: its own setting, by which every node judges it
  lapse interval not null
);

-- Tables: the delay queue -------------------------------------------------------------------------------------------------

-- Input and output topics that belong together. The number stands for the name in all other tables.
create table route (
  id integer generated always as identity primary key,
  name text not null unique,
  -- the topics of the node that started last; null before any has stated them
  input text,
  output text
);

-- What to read next of each input partition; null while nothing of it has been stored. By the topic's own id, not its
-- name: the offsets of a topic that was made anew, or of another that takes its place, begin anew.
create table input_position (
  route_id integer not null,
  topic_id uuid not null,
  partition integer not null,
  next_offset bigint,
  primary key (route_id, topic_id, partition)
) with (
  fillfactor = 20,
  -- Written many times a second: whatever its statistics say, it is read by its key.
  autovacuum_analyze_threshold = 10000000
);

-- Messages that wait (readied_by is null) or are ready (held by a node). Fired messages leave the table.
create table delayed_message (
  deadline bigint not null,
  readied_at bigint,
  -- not to be claimed before; only on unclaimed rows
  deferred_until bigint,
  route_id integer not null,
  readied_by uuid,
  -- an undecided amendment of this message exists
  amended boolean not null default false,
  -- an earlier holder, suspected of failure, may have sent it: amendments are too late
  maybe_fired boolean not null default false,
  id text collate "C" not null,
  -- a topic's name, or task: and a handler's name, or task:pool: and a pool's; null for the route's own topic
  output text,
  message_headers bytea not null,
  message_key bytea,
  message_value bytea,
  primary key (route_id, id),
  constraint the_pair_is_whole check ((readied_at is null) = (readied_by is null))
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_cost_delay = 0
);
alter table delayed_message alter message_value set storage external;

-- Requests to cancel or reschedule a message. An undecided one always belongs to a stored message whose "amended" is set.
create table amendment (
  number bigint generated always as identity primary key,
  route_id integer not null,
  message_id text collate "C" not null,
  -- the new due time; null for a cancel
  due_micros bigint,
  -- the control record's place and key; null for a caller that asks by number
  reply_partition integer,
  reply_offset bigint,
  reply_key bytea,
  outcome text check (outcome in ('APPLIED', 'TOO_LATE', 'UNKNOWN_ID')),
  decided_by uuid,
  decided_at timestamptz,
  constraint the_reply_has_a_place check ((reply_partition is null) = (reply_offset is null)),
  constraint a_decision_has_a_time check ((outcome is null) = (decided_at is null))
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

-- Records whose dead letters had to be truncated (delay.intake.keep-letters-up-to), until they are pruned.
create table kept_letter (
  id uuid primary key,
  kept_at timestamptz not null default statement_timestamp(),
  route_id integer not null,
  reason text not null,
  record_key bytea,
  record_value bytea,
  record_headers bytea not null
);
alter table kept_letter alter record_value set storage external;

-- Tables: tasks -----------------------------------------------------------------------------------------------------------

-- The ready tasks of one handler at one priority. The number stands for the pair in all other tables.
create table task_queue (
  id integer generated always as identity primary key,
  -- here and in all tables of tasks: a handler's name, or pool: and a pool's
  handler text collate "C" not null,
  priority smallint not null check (priority between 0 and 100),
  unique (handler, priority)
);

-- Unfinished tasks. State and next trigger are in one row, so that one write changes both.
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
  -- new, enqueued, processing, retriable failure, blocked behind its key, held back by a paused collection
  state "char" not null check (state in ('N', 'E', 'P', 'R', 'B', 'H')),
  cancel_requested boolean not null default false,
  -- a node while enqueued, a worker while processing
  holder text,
  -- all four null for the handler's
  max_attempts integer,
  backoff_initial_micros bigint,
  backoff_factor double precision,
  backoff_max_micros bigint,
  execution_timeout_micros bigint,
  traceparent text,
  -- the last ten, [{"attempt": 1, "at": micros, "error": "..."}]
  failures jsonb,
  payload bytea not null,
  -- by which tasks of a handler are paused and dropped together
  collection text,
  -- of task_key; not a foreign key, whose trigger would cost the many tasks that have none: whoever adds a task to a key
  -- holds a lock on the key's row, which keeps it from being pruned
  key_id bigint,
  -- no attempt begins after it
  start_deadline bigint,
  -- whose run it is; of which a schedule counts those that have not ended
  schedule_id uuid,
  constraint who_holds_it check ((holder is not null) = (state in ('E', 'P')))
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_cost_delay = 0
);
alter table task alter payload set storage external;

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
  payload bytea,
  collection text,
  key text,
  start_deadline bigint,
  -- a task that is put back keeps its id, and its fence goes on rising
  fence bigint not null
) with (
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000000
);
alter table finished_task alter payload set storage external;

-- Ordering keys: at most one row per pair, locked by whoever decides which of its tasks runs. Removed when nothing refers
-- to it.
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

-- When workers last asked for tasks of a handler, on any node, to some seconds: shows handlers that nobody works for.
create table handler_asked (
  handler text collate "C" primary key,
  asked_at bigint not null
) with (fillfactor = 50);

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
create table task_pause (
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

-- When nodes were last told that something is due soon, milliseconds since 1970, and by which transaction. Sequences,
-- because their values belong to no transaction: a notification makes committing transactions wait for each other, so that
-- there are only a few in a second.
create sequence task_bell minvalue 0 start 0;
create sequence task_bell_by minvalue 0 start 0;

-- Tables: schedules -------------------------------------------------------------------------------------------------------

-- Schedules, how far they have come and when to look at them again.
create table schedule (
  -- its creation id, of which the execution ids of its runs are made
  id uuid primary key,
  name text collate "C" not null unique,
  -- raised by every change of the definition
  generation bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  rule_kind text not null check (rule_kind in ('CRON', 'EVERY', 'DELAY', 'AT', 'RRULE')),
  rule_text text not null,
  dialect text not null,
  day_match text not null,
  zone text not null,
  -- local times that do not exist, and those that come twice
  gap text not null,
  repeated text not null,
  start_at bigint,
  end_at bigint,
  max_runs bigint,
  spread_micros bigint not null,
  -- either a queue, which includes that of a pool, or a topic
  queue_id integer,
  route_id integer,
  topic text,
  payload bytea not null,
  message_key bytea,
  message_headers bytea,
  -- all four null for the handler's
  max_attempts integer,
  backoff_initial_micros bigint,
  backoff_factor double precision,
  backoff_max_micros bigint,
  execution_timeout_micros bigint,
  ordering_key text,
  collection text,
  overlap text not null check (overlap in ('SKIP', 'BUFFER_ONE', 'BUFFER_ALL', 'CANCEL_OTHER', 'ALLOW_ALL')),
  catch_up text not null check (catch_up in ('NONE', 'LATEST', 'ALL')),
  catch_up_window_micros bigint not null,
  catch_up_max integer not null,
  deadline_micros bigint,
  pause_on_failure boolean not null,
  status text not null check (status in ('ACTIVE', 'PAUSED', 'ENDED')),
  note text not null,
  since bigint not null,
  -- every fire time up to it has been decided; it only grows
  decided_to bigint not null,
  -- when to look at it again
  next_at bigint,
  -- it could not be decided when its time had come, and next_at is when to try again
  put_off boolean not null default false,
  -- by which version of the rules of time zones it was decided last
  time_zone_rules text not null default '',
  runs bigint not null,
  last_run uuid,
  -- who says that its time has come: the nodes, or a replicated cron, which asks for its schedules by name
  decider text not null check (decider in ('NODE', 'REPLICATED')),
  constraint it_has_one_target check ((queue_id is null) <> (topic is null) and (route_id is null) = (topic is null)),
  constraint only_an_active_one_is_looked_at check ((next_at is not null) = (status = 'ACTIVE'))
) with (
  -- every firing writes its row anew
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0
);
alter table schedule alter payload set storage external;

-- The fire ledger: what was decided of each fire time, or of a range of fire times that were decided alike. Not removed
-- with its schedule, but when it is old.
create table schedule_fire (
  schedule_id uuid not null,
  fire_at bigint not null,
  -- the id of the request that asked for the run; empty for the rule's own fire times
  request text collate "C" not null default '',
  -- the last fire time of a range; fire_at for a single one
  until bigint not null,
  -- how many; null when they were not counted
  count bigint,
  decision text not null check (decision in ('FIRED', 'SKIPPED')),
  reason text,
  cause text not null check (cause in ('SCHEDULE', 'TRIGGER', 'BACKFILL')),
  decided_at bigint not null,
  run_at bigint,
  run uuid,
  primary key (schedule_id, fire_at, request),
  constraint what_fired_has_a_run check ((decision = 'FIRED') = (run is not null) and (run is null) = (run_at is null)),
  constraint what_was_skipped_has_a_reason check ((decision = 'SKIPPED') = (reason is not null))
) with (
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 1000000
);

-- Named calendars that schedules share.
create table business_calendar (
  name text collate "C" primary key,
  -- a line for each day
  days text not null,
  generation bigint not null,
  updated_at bigint not null
);

-- Which schedules name which calendars.
create table schedule_calendar (
  schedule_id uuid not null,
  calendar text collate "C" not null,
  kind text not null,
  primary key (schedule_id, calendar, kind)
);

-- Tables: pools of HTTP endpoints -----------------------------------------------------------------------------------------
-- All of it is small and read by every node once a second.

create sequence pool_generation;

-- Pools and how their endpoints are used.
create table http_pool (
  name text collate "C" primary key,
  -- of pool_generation, drawn anew at each change
  generation bigint not null,
  -- listed, resolved, registered
  kind "char" not null check (kind in ('L', 'D', 'R')),
  urls text[] not null,
  -- random, least loaded, fastest, sticky
  routing "char" not null check (routing in ('R', 'L', 'F', 'S')),
  ejection_failures integer not null check (ejection_failures >= 1),
  ejection_pause bigint not null,
  ejection_ramp_up bigint not null,
  health_path text,
  request_timeout bigint not null,
  completion_timeout bigint not null,
  answers_later boolean not null,
  max_in_flight integer not null check (max_in_flight >= 1)
);

-- What requests are signed with: one that stays, and perhaps one that retires.
create table http_pool_key (
  id bigint generated always as identity primary key,
  pool text collate "C" not null references http_pool on delete cascade,
  secret bytea not null,
  created_at bigint not null,
  retires_at bigint
);

-- Endpoints that workers have said of themselves.
create table http_endpoint (
  pool text collate "C" references http_pool on delete cascade,
  url text collate "C",
  lease_until bigint not null,
  primary key (pool, url)
);

-- What completion tokens are sealed with; one row.
create table push_secret (
  one_row boolean primary key default true check (one_row),
  secret bytea not null
);

-- Indexes, each with the statements that rely on it -----------------------------------------------------------------------
-- A primary key serves whatever names its columns and is not listed here.

-- The ready query, what may be claimed next: claim, overview.
create index delayed_message_waiting on delayed_message (route_id, (coalesce(deferred_until, deadline)))
  where readied_by is null;
-- What a node holds, in due order: take_over, overheld, read_back, bury.
create index delayed_message_held on delayed_message (route_id, readied_by, deadline)
  where readied_by is not null;
-- What a holder has to decide: amendment_undecided.
create index delayed_message_amended on delayed_message (readied_by) where amended;

-- What waits for a decision on a message: amendment_undecided, decide_reschedule, decide_rest, decide_unflag, overview.
create index kept_letter_age on kept_letter (kept_at);

create index amendment_undecided on amendment (route_id, message_id) where outcome is null;
-- What a node has decided and not told: amendment_untold, amendment_adopt, bury.
create index amendment_untold on amendment (decided_by, route_id, number)
  where outcome is not null and reply_partition is not null;
-- Outcomes that nobody has asked for: amendment_purge.
create index amendment_unread on amendment (decided_at) where outcome is not null and reply_partition is null;

-- The store consumer, what of a queue may be enqueued next: enqueue, pause_drop_lock, numbers, quota_count.
create index task_waiting on task (queue_id, next_trigger) where state in ('N', 'R');
-- Whose holder has not been heard of: lapsed, enqueued_by, give_back_departed; what is held: limit_set, limit_recount,
-- list, numbers, quota_count.
create index task_held on task (next_trigger) where state in ('E', 'P');
-- All unfinished tasks of a key in due order: key_earliest, key_lock_idle, key_prune, key_stuck, promote_first.
create index task_of_key on task (key_id, due_at, id) where key_id is not null;
-- Those that wait for their key: key_blocked_ids, promote_some, pause_drop_lock, numbers, quota_count.
create index task_blocked on task (key_id, due_at, id) where state = 'B';
-- Those of a key whose attempts have failed: key_stuck.
create index task_key_failing on task (key_id) where key_id is not null and state in ('R', 'E') and attempt > 0;
-- What is held back by a pause: pause_drop_lock, pause_remove, pause_wake, numbers, quota_count.
create index task_paused on task (queue_id, collection) where state = 'H';
-- What belongs to a collection: pause_drop_lock.
create index task_collection on task (queue_id, collection, id) where collection is not null;
-- What has not begun in time: expire_lock.
create index task_start_deadline on task (start_deadline) where start_deadline is not null and state <> 'P';
-- Runs of a schedule that have not ended: due_read, schedule_lock.
create index task_of_schedule on task (schedule_id, id) where schedule_id is not null;

-- Pruning by age, for each end its own: prune_succeeded, prune_other. Not brin: its ranges never narrow again, so after the
-- first round of pruning every one of them would match. A batch of ends carries one time, so that the entries of successes
-- are nearly free. The cast keeps the index out of lists.
create index finished_task_success_age on finished_task (finished_at) where state = 'S';
create index finished_task_other_age on finished_task ((state::text), finished_at) where state <> 'S';
-- What did not succeed, among many that did: list, list_end, numbers, redrive_end, redrive_find. Successes are found by
-- walking the primary key.
create index finished_task_other on finished_task (state, id) where state <> 'S';

-- Keys behind a head that has failed for good: key_stuck, pause_drop_lock.
create index task_key_blocked on task_key (id) where blocked_by is not null;

-- Idempotency keys whose time is over: request_prune.
create index task_request_until on task_request (until) where until is not null;
-- Those of a task that is forgotten: request_drop, prune_succeeded, prune_other.
create index task_request_task on task_request (task_id);

-- What the nodes ask for every second must not grow with what waits for a replicated cron, perhaps for days: none of its
-- schedules is in the index. agenda, due_lock.
create index schedule_due on schedule (next_at) where next_at is not null and decider = 'NODE';
-- Those of a replicated cron, as it asks for them and as it looks for new ones: named_lock, list_replicated.
create index schedule_replicated on schedule (name) where decider = 'REPLICATED';

-- What a request has come to: fire_of_request.
create index schedule_fire_request on schedule_fire (schedule_id, request, fire_at) where request <> '';
-- Why fire times did not fire: fire_list_skipped.
create index schedule_fire_skipped on schedule_fire (schedule_id, reason, fire_at, request) where reason is not null;
-- Pruning by age: fire_prune.
create index schedule_fire_age on schedule_fire (decided_at);
-- Who names a calendar: calendar_users, calendar_delete.
create index schedule_calendar_use on schedule_calendar (calendar);

-- The keys of a pool, the oldest first: pool_list, key_forget.
create index http_pool_key_of on http_pool_key (pool, id);
-- The one that stays: key_insert, key_retire.
create unique index http_pool_key_stays on http_pool_key (pool) where retires_at is null;

-- For people: the messages with times that can be read, without payload ---------------------------------------------------

create view delayed_message_readable as
select
  r.name as route,
  m.id,
  timestamptz 'epoch' + m.deadline * interval '1 microsecond' as deadline,
  timestamptz 'epoch' + m.readied_at * interval '1 microsecond' as readied_at,
  m.readied_by,
  timestamptz 'epoch' + m.deferred_until * interval '1 microsecond' as deferred_until,
  m.amended,
  m.maybe_fired,
  m.output,
  octet_length(m.message_headers) as headers_bytes,
  octet_length(m.message_key) as key_bytes,
  octet_length(m.message_value) as value_bytes
from delayed_message m
left join route r on r.id = m.route_id;

-- For applications: scheduling from a transaction of their own ------------------------------------------------------------
-- The task is there if and only if that transaction commits. The tasks of a transaction are in the order of its calls.

create function kairos_schedule(
  handler text,
  payload bytea default '',
  run_at timestamptz default null,
  delay interval default null,
  priority integer default 50,
  key text default null,
  collection text default null,
  start_deadline timestamptz default null,
  idempotency_key text default null,
  -- while_unfinished, forever, or for a time: then idempotency_duration
  idempotency_window text default null,
  idempotency_duration interval default null,
  -- keep, error
  on_conflict text default 'keep',
  execution_timeout interval default null,
  traceparent text default null,
  max_attempts integer default null,
  initial_backoff interval default null,
  backoff_factor double precision default null,
  max_backoff interval default null
) returns uuid
language plpgsql
-- With the rights of the owner: the application's role needs nothing but to call it, and can neither read nor change tasks.
security definer
as $$
#variable_conflict use_column
declare
  clock constant timestamptz := clock_timestamp();
  clock_micros constant bigint := extract(epoch from clock) * 1000000;
  due constant timestamptz := coalesce(kairos_schedule.run_at, clock + kairos_schedule.delay, clock);
  -- UUIDv7: 48 bits of milliseconds, twelve of their fraction, so that the calls of a transaction are in their order (RFC
  -- 9562, 6.2, method 3), the rest random
  new_id constant uuid := encode(
    overlay(
      uuid_send(gen_random_uuid())
      placing int8send((clock_micros / 1000 << 16) | 28672 | (clock_micros % 1000 * 4096 / 1000)) from 1),
    'hex')::uuid;
  name_rule constant text := '^[A-Za-z0-9._:/-]{1,128}$';
  control constant text := '[\u0001-\u001F\u007F-\u009F]';
  has_policy constant boolean := num_nonnulls(
    kairos_schedule.max_attempts, kairos_schedule.initial_backoff, kairos_schedule.backoff_factor,
    kairos_schedule.max_backoff) > 0;
  wait_before constant interval := coalesce(kairos_schedule.initial_backoff, interval '20 s');
  wait_most constant interval := coalesce(kairos_schedule.max_backoff, greatest(wait_before, interval '120 s'));
  request_mode constant text := case
    when kairos_schedule.idempotency_duration is not null then 'T'
    when kairos_schedule.idempotency_window = 'forever' then 'E'
    else 'U'
  end;
  queue integer;
  key_number bigint;
  former task_request%rowtype;
  just_told boolean;
  wrong text;
begin
  wrong := case
    when kairos_schedule.handler is null or kairos_schedule.handler !~ name_rule
      then 'handler: must have 1 to 128 of letters, digits and . _ : / -'
    when kairos_schedule.handler like 'pool:%' then 'handler: must not begin with pool:, which is for pools'
    when kairos_schedule.payload is null or octet_length(kairos_schedule.payload) > 1048576
      then 'payload: must be at most 1,048,576 bytes, and not null'
    when kairos_schedule.priority is null or kairos_schedule.priority not between 0 and 100
      then 'priority: must be 0 to 100, higher is sooner'
    when kairos_schedule.run_at is not null and kairos_schedule.delay is not null
      then 'run_at: must not be given together with delay'
    when kairos_schedule.delay < interval '0' then 'delay: must not be negative'
    when due not between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59.999999Z'
      then 'run_at: must be a time from year 0001 to 9999'
    when length(kairos_schedule.key) not between 1 and 256 or kairos_schedule.key ~ control
      then 'key: must have 1 to 256 characters, and no control characters'
    when kairos_schedule.collection !~ name_rule
      then 'collection: must have 1 to 128 of letters, digits and . _ : / -'
    when kairos_schedule.start_deadline < due then 'start_deadline: must not be before the due time'
    when kairos_schedule.start_deadline > '9999-12-31 23:59:59.999999Z'
      then 'start_deadline: must be a time from year 0001 to 9999'
    when length(kairos_schedule.idempotency_key) not between 1 and 256 or kairos_schedule.idempotency_key ~ control
      then 'idempotency_key: must have 1 to 256 characters, and no control characters'
    when starts_with(kairos_schedule.idempotency_key, 'kairos-')
      then 'idempotency_key: must not begin with kairos-, which Kairos itself uses'
    when kairos_schedule.idempotency_window not in ('while_unfinished', 'forever')
      then 'idempotency_window: must be while_unfinished or forever'
    when kairos_schedule.idempotency_duration is not null and kairos_schedule.idempotency_window is not null
      then 'idempotency_duration: must not be given together with idempotency_window'
    when kairos_schedule.idempotency_duration <= interval '0' or kairos_schedule.idempotency_duration > interval '3650 days'
      then 'idempotency_duration: must be more than nothing, at most 3650 days'
    when kairos_schedule.on_conflict is null or kairos_schedule.on_conflict not in ('keep', 'error')
      then 'on_conflict: must be keep or error'
    when kairos_schedule.execution_timeout not between interval '1 ms' and interval '365 days'
      then 'execution_timeout: must be from 1 ms to 365 days'
    when kairos_schedule.traceparent !~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?$'
      then 'traceparent: must be a W3C trace context'
    when kairos_schedule.max_attempts not between 1 and 1000000 then 'max_attempts: must be 1 to 1,000,000'
    when wait_before not between interval '0' and interval '365 days'
      then 'initial_backoff: must be 0 to 365 days'
    when kairos_schedule.backoff_factor not between 1 and 100 then 'backoff_factor: must be 1 to 100'
    when wait_most not between wait_before and interval '365 days'
      then 'max_backoff: must be between initial_backoff and 365 days'
  end;
  if wrong is not null then
    raise exception using errcode = 'invalid_parameter_value', message = wrong;
  end if;

  -- Not counted under a lock, which would make the application's transactions wait for each other: the quota is exact
  -- only within the minute in which a node counts anew.
  if exists (
    select from task_handler h
    where h.handler = kairos_schedule.handler and h.max_unfinished <= h.unfinished
  ) then
    raise exception using
      errcode = 'configuration_limit_exceeded',
      message = 'handler: ' || kairos_schedule.handler || ' has as many unfinished tasks as it may have';
  end if;

  if kairos_schedule.idempotency_key is not null then
    loop
      insert into task_request as r (handler, key, task_id, mode, until)
      values (
        kairos_schedule.handler, kairos_schedule.idempotency_key, new_id, request_mode::"char",
        extract(epoch from clock + kairos_schedule.idempotency_duration) * 1000000)
      on conflict on constraint task_request_pkey do nothing;
      exit when found;
      select r.* into former
      from task_request r
      where r.handler = kairos_schedule.handler and r.key = kairos_schedule.idempotency_key
      for update;
      continue when not found;
      if (case former.mode
        when 'U' then exists (select from task t where t.id = former.task_id)
        when 'T' then former.until > clock_micros
        else true
      end) then
        if kairos_schedule.on_conflict = 'error' then
          raise exception using
            errcode = 'unique_violation',
            message = 'idempotency_key: is that of task ' || former.task_id;
        end if;
        return former.task_id;
      end if;
      update task_request r
      set
        task_id = new_id,
        mode = request_mode::"char",
        until = extract(epoch from clock + kairos_schedule.idempotency_duration) * 1000000
      where r.handler = kairos_schedule.handler and r.key = kairos_schedule.idempotency_key;
      exit;
    end loop;
  end if;

  select q.id into queue
  from task_queue q
  where q.handler = kairos_schedule.handler and q.priority = kairos_schedule.priority;
  if not found then
    insert into task_queue (handler, priority)
    values (kairos_schedule.handler, kairos_schedule.priority)
    on conflict on constraint task_queue_handler_priority_key do nothing;
    select q.id into strict queue
    from task_queue q
    where q.handler = kairos_schedule.handler and q.priority = kairos_schedule.priority;
  end if;

  if kairos_schedule.key is not null then
    -- the lock keeps the key from being pruned, and hinders nobody else
    loop
      select k.id into key_number
      from task_key k
      where k.handler = kairos_schedule.handler and k.key = kairos_schedule.key
      for key share;
      exit when found;
      insert into task_key (handler, key)
      values (kairos_schedule.handler, kairos_schedule.key)
      on conflict on constraint task_key_handler_key_key do nothing;
    end loop;
  end if;

  insert into task (
    id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, max_attempts, backoff_initial_micros,
    backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, payload, collection, start_deadline, key_id)
  values (
    new_id,
    extract(epoch from due) * 1000000,
    extract(epoch from due) * 1000000,
    clock_micros,
    0,
    queue,
    0,
    'N',
    case when has_policy then coalesce(kairos_schedule.max_attempts, 101) end,
    case when has_policy then extract(epoch from wait_before) * 1000000 end,
    case when has_policy then coalesce(kairos_schedule.backoff_factor, 2) end,
    case when has_policy then extract(epoch from wait_most) * 1000000 end,
    extract(epoch from kairos_schedule.execution_timeout) * 1000000,
    kairos_schedule.traceparent,
    kairos_schedule.payload,
    kairos_schedule.collection,
    extract(epoch from kairos_schedule.start_deadline) * 1000000,
    key_number);

  -- Only what comes sooner than nodes poll, and not when a transaction that has committed has just told them: they look
  -- twice when they are told, so that what commits just after is seen too. One that is under way or younger may still be
  -- rolled back, and its notification with it: then both tell.
  if due < clock + interval '2 s' then
    select b.last_value >= clock_micros / 1000 - 100 and t.last_value < pg_current_xact_id()::text::bigint
    into just_told
    from task_bell b, task_bell_by t;
    if just_told then
      select pg_xact_status(t.last_value::text::xid8) is not distinct from 'committed' into just_told from task_bell_by t;
    end if;
    if not just_told then
      perform setval('task_bell', clock_micros / 1000);
      perform setval('task_bell_by', pg_current_xact_id()::text::bigint);
      perform pg_notify('kairos_tasks', '');
    end if;
  end if;
  return new_id;
end
$$;

-- Everybody may call a new function; of this one the owner says who. And its names mean what they mean here and now,
-- whatever the caller's search path and temporary tables are.
revoke execute on function kairos_schedule from public;
do $$
begin
  execute format('alter function kairos_schedule set search_path = %I, pg_temp', current_schema());
end
$$;
