-- A large store for the plans test: half of the messages held by four nodes, one in a thousand amended.
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
analyze;
