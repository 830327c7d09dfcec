-- What nodes tell each other of the routes that they serve, for people who look at all nodes together. Unlogged, as
-- node_figures: losing it costs some seconds of what is shown, and no work. A row per node and route, written anew every five
-- seconds; no index changes with an update.
create unlogged table route_figures (
  node_id uuid not null,
  route text collate "C" not null,
  -- number of the period since 1970 in which it was told
  period bigint not null,
  -- the node's name
  node text not null,
  -- topics
  input text not null,
  output text not null,
  dead_letters text not null,
  -- input partitions, at most 64; a lag is null while it is not known
  partitions bigint[] not null,
  positions bigint[] not null,
  lags bigint[] not null,
  -- output partitions that are dead or slow, at most 32
  lane_outputs text[] not null,
  lane_partitions bigint[] not null,
  lane_troubles text[] not null,
  lane_queued bigint[] not null,
  -- since the node's start
  taken_over bigint not null,
  amended_applied bigint not null,
  amended_too_late bigint not null,
  amended_unknown bigint not null,
  primary key (node_id, route)
) with (
  -- room for the new version of a row in its page
  fillfactor = 50
);

-- Dead letters that were published again, by their place on the dead-letter topic, for 30 days.
create table republished_letter (
  route_id integer not null,
  letter_partition integer not null,
  letter_offset bigint not null,
  -- tells the letter from one at the same place of a topic that was created anew
  letter_millis bigint not null,
  marked_at timestamptz not null default statement_timestamp(),
  primary key (route_id, letter_partition, letter_offset)
);
-- Pruning by age: letter_mark.
create index republished_letter_age on republished_letter (marked_at);
