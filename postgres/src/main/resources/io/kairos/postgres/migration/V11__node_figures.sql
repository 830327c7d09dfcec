-- What nodes tell each other of each period of five seconds, for people who look at all nodes together. Unlogged: a crash of
-- the server, a restore or a change to a standby empties it, which costs an hour of figures and no work; and it adds nothing
-- to the log of a server that many commits wait for. A ring: a node writes a row anew when an hour has passed, so that there
-- are 720 rows per node, and no index changes with an update.
create unlogged table node_figures (
  -- the period modulo 720
  slot smallint not null,
  node_id uuid not null,
  -- number of the period since 1970
  period bigint not null,
  -- the node stopped after this period
  is_last boolean not null,
  -- the node as it describes itself
  name text not null,
  version text not null,
  doors text[] not null,
  clock_offset_micros bigint,
  load double precision,
  heap_bytes bigint not null,
  obstacles text[] not null,
  -- what it did in the period; a lateness as the class LatenessCounts writes it
  tasks_accepted bigint not null,
  tasks_begun bigint not null,
  tasks_ended bigint not null,
  task_lateness bytea not null,
  task_overdue_micros bigint,
  messages_accepted bigint not null,
  messages_begun bigint not null,
  messages_ended bigint not null,
  message_lateness bytea not null,
  message_overdue_micros bigint,
  failed_attempts bigint not null,
  given_up bigint not null,
  lapsed_leases bigint not null,
  fires bigint not null,
  skipped_fires bigint not null,
  put_off bigint not null,
  -- by route, each with its number
  dead_letter_routes text[] not null,
  dead_letters bigint[] not null,
  hiccup_micros bigint,
  primary key (slot, node_id)
) with (
  -- room for the new version of a row in its page
  fillfactor = 70
);

-- What a node did in its last minute by handler and endpoint, written anew every five seconds while there is something to tell:
-- one row per node, of at most 200 handlers and 200 endpoints.
create unlogged table node_details (
  node_id uuid primary key,
  -- number of the last period of the minute
  period bigint not null,
  -- by handler: attempts that began, that ended, and of these those that failed
  handlers text[] not null,
  begun bigint[] not null,
  ended bigint[] not null,
  failed bigint[] not null,
  -- by endpoint of a pool: requests under way, whether it is ejected, how often in the last hour, and the times of its answers
  -- as the class LatenessCounts writes them
  pools text[] not null,
  endpoints text[] not null,
  in_flight bigint[] not null,
  ejecting integer[] not null,
  ejections bigint[] not null,
  answers bytea[] not null
) with (
  -- room for the new version of a row in its page
  fillfactor = 50
);
