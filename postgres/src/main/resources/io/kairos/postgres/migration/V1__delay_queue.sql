-- The delay queue. Times that a node's clock or a caller gives are bigint microseconds since 1970 (exact to the year
-- 9999, eight bytes on the wire and in an index); times that the store's own clock gives are timestamptz.
-- There are no foreign keys: one would cost a look-up for each message.

-- Input -> output pairs of topics. The number stands for the name in all other tables.
create table route (
  id integer generated always as identity primary key,
  name text not null unique
);

-- Who is believed alive, by the store's clock.
create table node (
  id uuid primary key,
  enrolled_at timestamptz not null,
  renewed_at timestamptz not null,
  retired_at timestamptz
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
  output_topic text,
  message_headers bytea not null,
  message_key bytea,
  message_value bytea,
  primary key (route_id, id),
  constraint the_pair_is_whole check ((readied_at is null) = (readied_by is null))
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

-- Large values go out of line as they are: payloads are opaque, compressing them is the application's choice.
alter table delayed_message alter column message_value set storage external;

-- The ready query: what may be claimed next.
create index delayed_message_waiting on delayed_message (route_id, (coalesce(deferred_until, deadline)))
  where readied_by is null;
-- Takeover, backstop and read-back: what a node holds, in due order.
create index delayed_message_held on delayed_message (route_id, readied_by, deadline)
  where readied_by is not null;
-- What a holder has to decide.
create index delayed_message_amended on delayed_message (readied_by) where amended;

-- Wishes to cancel or reschedule. Undecided ones always belong to a stored message whose "amended" is set.
create table amendment (
  number bigint generated always as identity primary key,
  route_id integer not null,
  message_id text collate "C" not null,
  kind text not null check (kind in ('cancel', 'reschedule')),
  due_micros bigint check ((due_micros is not null) = (kind = 'reschedule')),
  -- the control record's place and key; null for a caller that asks by number
  reply_partition integer,
  reply_offset bigint,
  reply_key bytea,
  outcome text check (outcome in ('APPLIED', 'TOO_LATE', 'UNKNOWN_ID')),
  decided_by uuid,
  decided_at timestamptz,
  constraint the_reply_has_a_place check ((reply_partition is null) = (reply_offset is null)),
  constraint a_decision_has_a_time check ((outcome is null) = (decided_at is null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

create index amendment_undecided on amendment (route_id, message_id) where outcome is null;
create index amendment_untold on amendment (decided_by, route_id, number)
  where outcome is not null and reply_partition is not null;
create index amendment_unread on amendment (decided_at) where outcome is not null and reply_partition is null;

-- For people: the same rows with times that can be read, without payload.
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
  m.output_topic,
  octet_length(m.message_headers) as headers_bytes,
  octet_length(m.message_key) as key_bytes,
  octet_length(m.message_value) as value_bytes
from delayed_message m
left join route r on r.id = m.route_id;
