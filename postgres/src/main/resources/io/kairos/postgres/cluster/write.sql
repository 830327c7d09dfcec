-- Keeps what a node tells of a period, in the place of what it told of an hour before. No column of an index changes, so that
-- the new version of the row goes into the page of the old one. Index: node_figures_pkey. Locks its row; one row.
insert into node_figures as f (
  slot, node_id, period, is_last, name, version, doors, clock_offset_micros, load, heap_bytes, obstacles, tasks_accepted,
  tasks_begun, tasks_ended, task_lateness, task_overdue_micros, messages_accepted, messages_begun, messages_ended,
  message_lateness, message_overdue_micros, failed_attempts, given_up, lapsed_leases, fires, skipped_fires, put_off,
  dead_letter_routes, dead_letters, hiccup_micros)
values (
  (:period::bigint % 720)::smallint, :node::uuid, :period::bigint, :is_last::boolean, :name::text, :version::text,
  :doors::text[], :clock_offset_micros::bigint, :load::double precision, :heap_bytes::bigint, :obstacles::text[],
  :tasks_accepted::bigint, :tasks_begun::bigint, :tasks_ended::bigint, :task_lateness::bytea, :task_overdue_micros::bigint,
  :messages_accepted::bigint, :messages_begun::bigint, :messages_ended::bigint, :message_lateness::bytea,
  :message_overdue_micros::bigint, :failed_attempts::bigint, :given_up::bigint, :lapsed_leases::bigint, :fires::bigint,
  :skipped_fires::bigint, :put_off::bigint, :dead_letter_routes::text[], :dead_letters::bigint[], :hiccup_micros::bigint)
on conflict (slot, node_id) do update set
  period = excluded.period,
  is_last = excluded.is_last,
  name = excluded.name,
  version = excluded.version,
  doors = excluded.doors,
  clock_offset_micros = excluded.clock_offset_micros,
  load = excluded.load,
  heap_bytes = excluded.heap_bytes,
  obstacles = excluded.obstacles,
  tasks_accepted = excluded.tasks_accepted,
  tasks_begun = excluded.tasks_begun,
  tasks_ended = excluded.tasks_ended,
  task_lateness = excluded.task_lateness,
  task_overdue_micros = excluded.task_overdue_micros,
  messages_accepted = excluded.messages_accepted,
  messages_begun = excluded.messages_begun,
  messages_ended = excluded.messages_ended,
  message_lateness = excluded.message_lateness,
  message_overdue_micros = excluded.message_overdue_micros,
  failed_attempts = excluded.failed_attempts,
  given_up = excluded.given_up,
  lapsed_leases = excluded.lapsed_leases,
  fires = excluded.fires,
  skipped_fires = excluded.skipped_fires,
  put_off = excluded.put_off,
  dead_letter_routes = excluded.dead_letter_routes,
  dead_letters = excluded.dead_letters,
  hiccup_micros = excluded.hiccup_micros
where f.period <= excluded.period
