-- A large store for the plans test: half of the messages held by four nodes, one in a thousand amended; tasks of sixty queues
-- in every state, one in ten of the ends not a success, one task in five with a key, one in a hundred of a schedule; the
-- latest error of each end that is not a success, of a hundred fingerprints; four queues of fifty fairness keys; ten limits by key and fifty thousand names of them, before a hundred of which every task stands in line; a thousand batches of two hundred tasks, with fifty ends each that are not counted yet; schedules of which one in ten is paused, with a
-- calendar for one in ten and three decisions each; calls of fifty callers, one in ten of whom has no name; an hour of
-- figures of four nodes.
insert into route (name) select 'route ' || n from generate_series(1, 3) n;
insert into node select gen_random_uuid(), now(), now(), null, interval '1500 ms' from generate_series(1, 4) n;
insert into delayed_message (
  route_id, id, deadline, readied_at, readied_by, amended, message_headers, message_value)
select
  1 + g.n % 3,
  g.n::text,
  g.n,
  case when g.n % 2 = 0 then g.n end,
  case when g.n % 2 = 0 then (select id from node order by id offset g.n / 2 % 4 limit 1) end,
  g.n % 1000 = 0,
  '',
  'some value'
from generate_series(1, 200000) g (n);
insert into amendment (
  route_id, message_id, reply_partition, reply_offset, outcome, decided_by, decided_at)
select
  1 + g.n % 3,
  g.n::text,
  case when g.n % 2 = 0 then 1 end,
  case when g.n % 2 = 0 then g.n end,
  case when g.n % 1000 > 0 then 'APPLIED' end,
  case when g.n % 1000 > 0 then (select id from node order by id offset g.n / 2 % 4 limit 1) end,
  case when g.n % 1000 > 0 then now() end
from generate_series(1, 200000) g (n);
insert into task_queue (handler, priority) select 'handler ' || n / 3, n % 3 from generate_series(0, 59) n;
insert into task_key (handler, key) select 'handler ' || n % 20, n::text from generate_series(0, 19999) n;
insert into task_handler (handler, max_attempts) select 'handler ' || n, 3 from generate_series(0, 19, 2) n;
insert into task (
  id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, holder, payload, key_id, start_deadline,
  fairness_key)
select
  ('00000000-0000-7000-8000-' || lpad(g.n::text, 12, '0'))::uuid,
  g.n,
  g.n,
  g.n,
  1,
  1 + g.n % 60,
  0,
  case when g.n % 20 = 0 then 'B' else (array['N', 'E', 'P', 'R'])[1 + g.n % 4] end::"char",
  case when g.n % 4 in (1, 2) then 'holder ' || g.n % 7 end,
  'some payload',
  case when g.n % 5 = 0 then 1 + g.n / 5 % 20000 end,
  case when g.n % 100 = 1 then g.n end,
  case when g.n % 60 in (4, 8, 12, 16) then 'tenant ' || g.n / 60 % 50 end
from generate_series(1, 200000) g (n);
insert into finished_task (id, finished_at, due_at, created_at, queue_id, attempt, fence, state)
select
  ('00000000-0000-7000-9000-' || lpad(g.n::text, 12, '0'))::uuid,
  g.n,
  g.n,
  g.n,
  1 + g.n % 60,
  1,
  1,
  case when g.n % 10 > 0 then 'S' else (array['F', 'C', 'D'])[1 + g.n % 3] end::"char"
from generate_series(1, 200000) g (n);
insert into task_error (task_id, state, queue_id, ended_at, fingerprint, error_class)
select
  f.id, f.state, f.queue_id, f.finished_at, lpad(to_hex(f.finished_at % 100), 16, '0'), 'class ' || f.finished_at % 10
from finished_task f
where f.state <> 'S';
insert into business_calendar (name, days, generation, updated_at) select 'calendar ' || n, '', 1, 1 from generate_series(1, 50) n;
insert into schedule (
  id, name, generation, created_at, updated_at, rule_kind, rule_text, dialect, day_match, zone, gap, repeated, spread_micros,
  queue_id, payload, overlap, catch_up, catch_up_window_micros, catch_up_max, pause_on_failure, status, note, since,
  decided_to, next_at, runs, decider)
select
  ('00000000-0000-4000-8000-' || lpad(g.n::text, 12, '0'))::uuid,
  'schedule ' || g.n, 1, 1, 1, 'CRON', '0 * * * *', 'UNIX', 'EITHER', 'UTC', 'SKIP', 'FIRST', 0,
  1 + g.n % 60, '', 'SKIP', 'LATEST', 1, 1, false,
  case when g.n % 10 = 0 then 'PAUSED' else 'ACTIVE' end, '', 1, 1, case when g.n % 10 > 0 then g.n end, 0, 'NODE'
from generate_series(1, 50000) g (n);
insert into schedule_calendar (schedule_id, calendar, kind)
select ('00000000-0000-4000-8000-' || lpad(g.n::text, 12, '0'))::uuid, 'calendar ' || 1 + g.n % 50, 'ONLY_DURING'
from generate_series(1, 50000, 10) g (n);
insert into schedule_step (schedule_id, position, queue_id)
select ('00000000-0000-4000-8000-' || lpad(g.n::text, 12, '0'))::uuid, m.n, 1 + g.n % 60
from generate_series(1, 50000, 10) g (n)
cross join generate_series(0, 4) m (n);
insert into schedule_fire (schedule_id, fire_at, request, until, decision, reason, cause, decided_at)
select
  ('00000000-0000-4000-8000-' || lpad(g.n::text, 12, '0'))::uuid, m.n, case when m.n = 1 then 'r' || g.n else '' end, m.n,
  'SKIPPED', 'OVERLAP', 'SCHEDULE', g.n
from generate_series(1, 50000) g (n)
cross join generate_series(1, 3) m (n);
update task set schedule_id = ('00000000-0000-4000-8000-' || lpad((next_trigger / 100)::text, 12, '0'))::uuid
where next_trigger % 100 = 0;
insert into task_batch (id, handler, name, created_at, total, succeeded, closed_at, ended, completed_at)
select
  ('00000000-0000-7000-a000-' || lpad(g.n::text, 12, '0'))::uuid, 'handler ' || g.n % 20, 'batch ' || g.n, g.n, 200, 200, g.n,
  case when g.n % 10 > 0 then 'S'::"char" end, case when g.n % 10 > 0 then g.n end
from generate_series(1, 1000) g (n);
insert into task_batch_member (batch_id, task_id)
select
  ('00000000-0000-7000-a000-' || lpad((1 + g.n / 200)::text, 12, '0'))::uuid,
  ('00000000-0000-7000-9000-' || lpad(g.n::text, 12, '0'))::uuid
from generate_series(1, 199999) g (n);
insert into task_batch_end (batch_id, state, tasks)
select ('00000000-0000-7000-a000-' || lpad((1 + g.n / 50)::text, 12, '0'))::uuid, 'S', 1
from generate_series(1, 49999) g (n);
insert into audit_entry (began_at, caller, address, action, kind, object, detail, outcome)
select
  g.n, case when g.n % 10 > 0 then 'caller ' || g.n % 50 end, '10.0.0.1', 'CancelTask', 'task', 'task ' || g.n / 2, '',
  case when g.n % 10 > 0 then 'OK' else 'BEGUN' end
from generate_series(1, 200000) g (n);
insert into node_figures (
  slot, node_id, period, is_last, name, version, doors, heap_bytes, obstacles, tasks_accepted, tasks_begun, tasks_ended,
  task_lateness, messages_accepted, messages_begun, messages_ended, message_lateness, failed_attempts, given_up,
  lapsed_leases, fires, skipped_fires, put_off, dead_letter_routes, dead_letters)
select g.n, o.id, 720000 + g.n, false, 'a node', '1', '{}', 1, '{}', 1, 1, 1, '', 1, 1, 1, '', 0, 0, 0, 0, 0, 0, '{}', '{}'
from generate_series(0, 719) g (n)
cross join node o;
insert into node_details
select o.id, 720719, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}' from node o;
insert into worker_seen (worker, caller, host, version, slots, handlers, since, seen_at, lapsed)
select 'worker ' || g.n, 'caller ' || g.n % 5, 'a host', '1', 8, 'resize', now(), now(), 0
from generate_series(1, 10000) g (n);
insert into key_limit (pattern, max_running) select 'limit ' || n || '*', 5 from generate_series(1, 10) n;
insert into key_use (name, running, tokens_at) select 'limit ' || n, n % 2, n from generate_series(1, 50000) n;
insert into key_wait (task_id, name, due, woken_at)
select
  ('00000000-0000-7000-8000-' || lpad(g.n::text, 12, '0'))::uuid,
  'limit ' || g.n % 100,
  g.n,
  case when g.n % 10 = 0 then g.n end
from generate_series(1, 200000) g (n);
analyze;
