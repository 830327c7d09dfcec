-- A large store for the plans test: half of the messages held by four nodes, one in a thousand amended; tasks of sixty
-- queues in every state, one in ten of the ends not a success, one task in five with a key.
insert into route (name) select 'route ' || n from generate_series(1, 3) n;
insert into node select gen_random_uuid(), now(), now() from generate_series(1, 4) n;
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
  route_id, message_id, kind, reply_partition, reply_offset, outcome, decided_by, decided_at)
select
  1 + g.n % 3,
  g.n::text,
  'cancel',
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
  id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, holder, payload, key_id, start_deadline)
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
  case when g.n % 100 = 1 then g.n end
from generate_series(1, 200000) g (n);
insert into finished_task (id, finished_at, due_at, created_at, queue_id, attempt, state)
select
  ('00000000-0000-7000-9000-' || lpad(g.n::text, 12, '0'))::uuid,
  g.n,
  g.n,
  g.n,
  1 + g.n % 60,
  1,
  case when g.n % 10 > 0 then 'S' else (array['F', 'C', 'D'])[1 + g.n % 3] end::"char"
from generate_series(1, 200000) g (n);
analyze;
