-- Schedules, the decisions on their fire times, and calendars. Times are bigint microseconds since 1970.

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
  constraint it_has_one_target check ((queue_id is null) <> (topic is null) and (route_id is null) = (topic is null)),
  constraint only_an_active_one_is_looked_at check ((next_at is not null) = (status = 'ACTIVE'))
) with (
  -- every firing writes its row anew
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_cost_delay = 0
);

alter table schedule alter column payload set storage external;

create index schedule_due on schedule (next_at) where next_at is not null;

-- The fire ledger: what was decided of each fire time, or of a range of fire times that were decided alike. Not removed with
-- its schedule, but when it is old.
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

-- What a request has come to; why it did not fire; pruning by age.
create index schedule_fire_request on schedule_fire (schedule_id, request, fire_at) where request <> '';
create index schedule_fire_skipped on schedule_fire (schedule_id, reason, fire_at, request) where reason is not null;
create index schedule_fire_age on schedule_fire (decided_at);

-- Named calendars that schedules share.
create table business_calendar (
  name text collate "C" primary key,
  -- a line for each day
  days text not null,
  generation bigint not null,
  updated_at bigint not null
);

create table schedule_calendar (
  schedule_id uuid not null,
  calendar text collate "C" not null,
  kind text not null,
  primary key (schedule_id, calendar, kind)
);

create index schedule_calendar_use on schedule_calendar (calendar);

alter table task
  -- whose run it is; of which a schedule counts those that have not ended
  add column schedule_id uuid;

create index task_of_schedule on task (schedule_id, id) where schedule_id is not null;
