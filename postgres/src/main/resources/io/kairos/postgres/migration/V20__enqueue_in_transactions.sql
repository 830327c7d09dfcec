-- The function by which applications schedule in their own transactions takes fairness keys, predecessors and pools, another one
-- takes messages for topics: see ADR 39.

-- What the functions leave to nodes, because they must not lock rows that others use: that would last until the application's
-- transaction ends. Without unique keys, by which transactions would wait for each other. Emptied within about a second.

-- Tasks of earlier transactions for which a task waits since: edge_to_follow.sql.
create table task_to_follow (
  number bigint generated always as identity primary key,
  task_id uuid not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- Queues that have got a task with a fairness key: queue_to_share.sql.
create table task_queue_to_share (
  number bigint generated always as identity primary key,
  queue_id integer not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- The task has waited for others, or others had succeeded before: looked at when it is claimed, so that no other task pays for the
-- look-up of its predecessors. By kairos_schedule from the start, by nodes from migration 21 on.
alter table task add column has_predecessors boolean not null default false;

-- The topics to which messages of a route may be posted, and whether these carry their id, as the node that started last has
-- stated it; null before one of this version has.
alter table route add column posts_to text[], add column relays_id boolean;

-- Like that of migration 15, and waits for transactions of applications that have stored the first edges.
create or replace function kairos_refuse_node_before_graphs() returns trigger
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock_shared(118066125107060);
  perform pg_advisory_xact_lock(118066125107061);
  if exists (select from task_edge e) then
    raise exception using
      errcode = 'object_not_in_prerequisite_state',
      message = 'tasks wait for other tasks, which needs nodes that know version 15 of the schema, and the build of this node'
        || ' knows versions up to ' || coalesce(new.schema_known, 4) || ' at most: start a later build';
  end if;
  return new;
end
$$;

-- The version of the functions for applications: the migration that has made them.
create function kairos_sql_version() returns integer
language sql
immutable
as 'select 20';

-- Headers of a request or message as the domain's HeaderCodec encodes them: lengths and bytes of names and values by turns.
create function kairos_headers(names text[], contents bytea[]) returns bytea
language sql
immutable
as $$
  select coalesce(
    string_agg(
      int4send(octet_length(convert_to(h.name, 'UTF8'))) || convert_to(h.name, 'UTF8') || int4send(octet_length(h.content)) || h.content,
      ''::bytea order by h.n),
    ''::bytea)
  from unnest(names, contents) with ordinality h (name, content, n)
$$;

revoke execute on function kairos_headers(text[], bytea[]) from public;

-- The function of migration 16 with more arguments. Those are checked here, because a refusal must reach the application while it
-- can still roll back.
create function kairos_schedule(
  handler text default null,
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
  max_backoff interval default null,
  -- instead of start_deadline: so long after the due time
  reject_beyond interval default null,
  fairness_key text default null,
  fairness_weight integer default null,
  -- tasks of this role that must end before
  after uuid[] default null,
  -- fail, block, continue: one for all of them, or one for each
  on_failure text[] default null,
  -- instead of a handler
  pool text default null,
  pool_method text default null,
  pool_path text default null,
  pool_header_names text[] default null,
  pool_header_values text[] default null,
  pool_routing_key text default null
) returns uuid
language plpgsql
-- With the rights of the owner: the application's role needs nothing but to call it, and can neither read nor change tasks.
security definer
as $$
#variable_conflict use_column
declare
  clock constant timestamptz := clock_timestamp();
  clock_micros constant bigint := extract(epoch from clock) * 1000000;
  due timestamptz;
  latest timestamptz;
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
  -- Lengths in seconds: intervals compare a month as 30 days, and a year is kept as 365.25.
  delay_s constant numeric := extract(epoch from kairos_schedule.delay);
  beyond_s constant numeric := extract(epoch from kairos_schedule.reject_beyond);
  timeout_s constant numeric := extract(epoch from kairos_schedule.execution_timeout);
  window_s constant numeric := extract(epoch from kairos_schedule.idempotency_duration);
  wait_before_s constant numeric := extract(epoch from wait_before);
  wait_most_s constant numeric := extract(epoch from wait_most);
  year_s constant numeric := 365 * 86400;
  maker constant text := 'role ' || session_user;
  request_mode constant text := case
    when kairos_schedule.idempotency_duration is not null then 'T'
    when kairos_schedule.idempotency_window = 'forever' then 'E'
    else 'U'
  end;
  submitter constant text := 'sql:' || session_user;
  target constant text := coalesce('pool:' || kairos_schedule.pool, kairos_schedule.handler);
  -- null for that of a handler, which is the payload
  content bytea;
  predecessors uuid[] := '{}';
  modes text[];
  header_names text[];
  header_values text[];
  method constant text := coalesce(kairos_schedule.pool_method, 'POST');
  path constant text := coalesce(kairos_schedule.pool_path, '/');
  headers bytea;
  stored integer;
  open_edges integer := 0;
  own uuid[];
  queue integer;
  is_shared boolean;
  retired bigint;
  key_number bigint;
  former task_request%rowtype;
  just_told boolean;
  wrong text;
begin
  if delay_s not between 0 and 10000 * 366 * 86400::numeric or beyond_s not between 0 and year_s then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = case
        when beyond_s not between 0 and year_s then 'reject_beyond: must be 0 to 365 days'
        else 'delay: must not be negative, and must end before the year 10000'
      end;
  end if;
  due := coalesce(kairos_schedule.run_at, clock + kairos_schedule.delay, clock);
  wrong := case
    when kairos_schedule.pool is not null and kairos_schedule.handler is not null
      then 'handler: must not be given together with pool'
    when kairos_schedule.pool is null and (kairos_schedule.handler is null or kairos_schedule.handler !~ name_rule)
      then 'handler: must have 1 to 128 of letters, digits and . _ : / -'
    when kairos_schedule.handler like 'pool:%' then 'handler: must not begin with pool:, which is for pools'
    when kairos_schedule.payload is null or octet_length(kairos_schedule.payload) > 1048576
      then 'payload: must be at most 1,048,576 bytes, and not null'
    when kairos_schedule.priority is null or kairos_schedule.priority not between 0 and 100
      then 'priority: must be 0 to 100, higher is sooner'
    when kairos_schedule.run_at is not null and kairos_schedule.delay is not null
      then 'run_at: must not be given together with delay'
    when due not between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59.999999Z'
      then case
        when kairos_schedule.delay is null then 'run_at: must be a time from year 0001 to 9999'
        else 'delay: must not be negative, and must end before the year 10000'
      end
    when length(kairos_schedule.key) not between 1 and 256 or kairos_schedule.key ~ control
      then 'key: must have 1 to 256 characters, and no control characters'
    when kairos_schedule.collection !~ name_rule
      then 'collection: must have 1 to 128 of letters, digits and . _ : / -'
    when kairos_schedule.reject_beyond is not null and kairos_schedule.start_deadline is not null
      then 'reject_beyond: must not be given together with start_deadline'
    when kairos_schedule.start_deadline < due then 'start_deadline: must not be before the due time'
    when kairos_schedule.start_deadline > '9999-12-31 23:59:59.999999Z'
      then 'start_deadline: must be a time from year 0001 to 9999'
    when due + kairos_schedule.reject_beyond < clock
      then 'run_at: must not lie further in the past than reject_beyond'
    when length(kairos_schedule.idempotency_key) not between 1 and 256 or kairos_schedule.idempotency_key ~ control
      then 'idempotency_key: must have 1 to 256 characters, and no control characters'
    when starts_with(kairos_schedule.idempotency_key, 'kairos-')
      then 'idempotency_key: must not begin with kairos-, which Kairos itself uses'
    when kairos_schedule.idempotency_key is null
      and num_nonnulls(kairos_schedule.idempotency_window, kairos_schedule.idempotency_duration) > 0
      then 'idempotency_key: must be given together with a window'
    when kairos_schedule.idempotency_window not in ('while_unfinished', 'forever')
      then 'idempotency_window: must be while_unfinished or forever'
    when kairos_schedule.idempotency_duration is not null and kairos_schedule.idempotency_window is not null
      then 'idempotency_duration: must not be given together with idempotency_window'
    when window_s <= 0 or window_s > 10 * year_s
      then 'idempotency_duration: must be more than nothing, at most 3650 days'
    when kairos_schedule.on_conflict is null or kairos_schedule.on_conflict not in ('keep', 'error')
      then 'on_conflict: must be keep or error'
    when timeout_s not between 0.001 and year_s
      then 'execution_timeout: must be from 1 ms to 365 days'
    when kairos_schedule.traceparent !~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?$'
      then 'traceparent: must be a W3C trace context'
    when kairos_schedule.max_attempts not between 1 and 1000000 then 'max_attempts: must be 1 to 1,000,000'
    when wait_before_s not between 0 and year_s
      then 'initial_backoff: must be 0 to 365 days'
    when kairos_schedule.backoff_factor not between 1 and 100 then 'backoff_factor: must be 1 to 100'
    when wait_most_s not between wait_before_s and year_s
      then 'max_backoff: must be between initial_backoff and 365 days'
    when length(kairos_schedule.fairness_key) not between 1 and 256 or kairos_schedule.fairness_key ~ control
      then 'fairness_key: must have 1 to 256 characters, and no control characters'
    when kairos_schedule.fairness_weight is not null and kairos_schedule.fairness_key is null
      then 'fairness_weight: must be given together with fairness_key'
    when kairos_schedule.fairness_weight not between 1 and 1000 then 'fairness_weight: must be 1 to 1000'
  end;
  -- Apart, so that tasks without them pay nothing: these rules look into arrays and tables.
  if wrong is null and num_nonnulls(kairos_schedule.after, kairos_schedule.on_failure) > 0 then
    predecessors := array(select unnest(kairos_schedule.after));
    modes := array(select unnest(kairos_schedule.on_failure));
    wrong := case
      when kairos_schedule.after is null then 'on_failure: must be given together with after'
      when cardinality(kairos_schedule.after) > 10000 then 'after: must be at most 10,000 tasks'
      when (select count(distinct p.id) from unnest(predecessors) p (id)) < cardinality(predecessors)
        then 'after: must be different tasks, and none null'
      when cardinality(modes) > 0 and cardinality(modes) not in (1, cardinality(predecessors))
        then 'on_failure: must be one for all tasks of after, or one for each'
      when exists (select from unnest(modes) m (mode) where m.mode is null or m.mode not in ('fail', 'block', 'continue'))
        then 'on_failure: must be fail, block or continue'
    end;
  end if;
  -- Apart from the right to call this function, which roles were given when it could reach workers only.
  if kairos_schedule.pool is not null
    and not has_function_privilege(session_user, 'kairos_publish'::regproc, 'execute')
  then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'pool: a role needs execute on function kairos_publish for pools, as for topics';
  end if;
  if wrong is null and num_nonnulls(
    kairos_schedule.pool, kairos_schedule.pool_method, kairos_schedule.pool_path, kairos_schedule.pool_header_names,
    kairos_schedule.pool_header_values, kairos_schedule.pool_routing_key) > 0
  then
    header_names := array(select unnest(kairos_schedule.pool_header_names));
    header_values := array(select unnest(kairos_schedule.pool_header_values));
    wrong := case
      when kairos_schedule.pool is null
        then 'pool: must be given together with its method, path, headers or routing key'
      when kairos_schedule.pool !~ '^[A-Za-z0-9._-]{1,100}$' then 'pool: must have 1 to 100 of letters, digits and . _ -'
      -- Rules of the domain's PushRequest; a test compares the two. Letters are compared as in ASCII, whatever the database's
      -- collation says of them: in Turkish, i is not the small letter of I.
      when method not in ('POST', 'PUT', 'PATCH', 'GET', 'DELETE')
        then 'pool_method: must be POST, PUT, PATCH, GET or DELETE'
      when length(path) > 2000
        or path !~ '^/(?!/)([A-Za-z0-9._~!$&''()*+,;=:@/?-]|%(?!0|1|7[fF])[0-9A-Fa-f]{2})*$'
        or path collate "C" ~* '(^|/|%2f)([.]|%2e){1,2}($|/|%2f|[?])'
        then 'pool_path: must begin with a slash and have at most 2,000 of the characters of a URL, no fragment, no .. segment,'
          || ' and % only before two hexadecimal digits, not of a control character'
      when cardinality(header_names) + (kairos_schedule.pool_routing_key is not null)::integer > 50
        then 'pool_header_names: must be at most 50, the routing key included'
      when cardinality(header_values) <> cardinality(header_names)
        then 'pool_header_values: must be as many as pool_header_names'
      when exists (
        select from unnest(header_names) h (name)
        where h.name is null or h.name !~ '^[A-Za-z0-9-]{1,128}$'
          or lower(h.name collate "C") ~ '^(kairos-|webhook-|x-forwarded-|x-real-|proxy-|sec-)'
          or lower(h.name collate "C") in (
            'host', 'connection', 'content-length', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'keep-alive',
            'http2-settings', 'forwarded', 'via', 'user-agent', 'traceparent'))
        then 'pool_header_names: each must have 1 to 128 letters, digits and hyphens, and must not be reserved'
      when exists (
        select from unnest(header_values) h (value)
        where h.value is null or length(h.value) > 4096 or h.value ~ '[^ -~]')
        then 'pool_header_values: each must have at most 4,096 printable ASCII characters'
      when length(kairos_schedule.pool_routing_key) not between 1 and 256 or kairos_schedule.pool_routing_key ~ '[^ -~]'
        then 'pool_routing_key: must have 1 to 256 printable ASCII characters'
      when kairos_schedule.pool_routing_key is not null
        and exists (select from unnest(header_names) h (name) where lower(h.name collate "C") = 'routing-key')
        then 'pool_routing_key: must not be given together with the header routing-key'
      when kairos_schedule.pool is not null and not exists (select from http_pool p where p.name = kairos_schedule.pool)
        then 'pool: there is no pool ' || kairos_schedule.pool
    end;
  end if;
  if wrong is not null then
    raise exception using errcode = 'invalid_parameter_value', message = wrong;
  end if;
  latest := coalesce(
    kairos_schedule.start_deadline,
    least(due + kairos_schedule.reject_beyond, '9999-12-31 23:59:59.999999Z'));

  if kairos_schedule.pool is not null then
    if kairos_schedule.pool_routing_key is not null then
      header_names := header_names || text 'routing-key';
      header_values := header_values || kairos_schedule.pool_routing_key;
    end if;
    headers := kairos_headers(
      header_names,
      array(select convert_to(h.value, 'UTF8') from unnest(header_values) with ordinality h (value, n) order by h.n));
    -- As PushRequest encodes it: version, method, path, headers, no schedule, body.
    content := '\x01'::bytea
      || int4send(length(method)) || convert_to(method, 'UTF8')
      || int4send(length(path)) || convert_to(path, 'UTF8')
      || int4send(octet_length(headers)) || headers
      || int4send(0) || int8send(0)
      || kairos_schedule.payload;
  end if;

  -- Not counted under a lock, which would make the application's transactions wait for each other: the quota is exact
  -- only within the minute in which a node counts anew.
  if exists (
    select from task_handler h
    where h.handler = target and h.max_unfinished <= h.unfinished
  ) then
    raise exception using
      errcode = 'configuration_limit_exceeded',
      message = 'handler: ' || target || ' has as many unfinished tasks as it may have';
  end if;

  if kairos_schedule.idempotency_key is not null then
    loop
      insert into task_request as r (handler, key, task_id, mode, until)
      values (
        target, kairos_schedule.idempotency_key, new_id, request_mode::"char",
        extract(epoch from clock + kairos_schedule.idempotency_duration) * 1000000)
      on conflict on constraint task_request_pkey do nothing;
      exit when found;
      select r.* into former
      from task_request r
      where r.handler = target and r.key = kairos_schedule.idempotency_key
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
      where r.handler = target and r.key = kairos_schedule.idempotency_key;
      exit;
    end loop;
  end if;

  -- A queue is not removed below a transaction that may use it: that has a number.
  perform pg_current_xact_id();
  loop
    -- Under an older snapshot a queue may look as if it were not retired: then the lock fails.
    if current_setting('transaction_isolation') = 'read committed' then
      select q.id, q.retired_at, q.is_fair into queue, retired, is_shared
      from task_queue q
      where q.handler = target and q.priority = kairos_schedule.priority;
    else
      select q.id, q.retired_at, q.is_fair into queue, retired, is_shared
      from task_queue q
      where q.handler = target and q.priority = kairos_schedule.priority
      for share;
    end if;
    exit when found and retired is null;
    if found then
      update task_queue q set retired_at = null where q.id = queue;
      exit when found;
    end if;
    insert into task_queue (handler, priority, made_by)
    select target, kairos_schedule.priority, maker
    where (select count(*) from task_queue) < 10000
      and (select count(*) from task_queue m where m.made_by = maker) < 2500
    on conflict on constraint task_queue_handler_priority_key do nothing;
    if not found and not exists (
      select from task_queue q
      where q.handler = target and q.priority = kairos_schedule.priority
    ) then
      raise exception using
        errcode = 'configuration_limit_exceeded',
        message = 'handler: there are 10,000 queues, or 2,500 that this role has made, and this would be a new one';
    end if;
  end loop;

  if kairos_schedule.fairness_key is not null and not is_shared then
    -- Marked by a node: the lock of its row would last as long as this transaction.
    insert into task_queue_to_share (queue_id) values (queue);
  end if;

  if kairos_schedule.key is not null then
    -- the lock keeps the key from being pruned, and hinders nobody else
    loop
      select k.id into key_number
      from task_key k
      where k.handler = target and k.key = kairos_schedule.key
      for key share;
      exit when found;
      insert into task_key (handler, key)
      values (target, kairos_schedule.key)
      on conflict on constraint task_key_handler_key_key do nothing;
    end loop;
  end if;

  if cardinality(predecessors) > 0 then
    -- Nodes that do not know edges would let the task begin; kairos_refuse_node_before_graphs waits for this lock.
    perform pg_advisory_xact_lock_shared(118066125107061);
    if exists (select from node n where n.retired_at is null and coalesce(n.schema_known, 0) < 15) then
      raise exception using
        errcode = 'object_not_in_prerequisite_state',
        message = 'after: tasks can wait for others when all nodes know version 15 of the schema, and older ones run';
    end if;
    insert into task_edge (predecessor, successor, on_failure, open)
    select
      p.id,
      new_id,
      (case coalesce(modes[case when cardinality(modes) > 1 then p.n::integer else 1 end], 'fail')
        when 'block' then 'B' when 'continue' then 'C' else 'F'
      end)::"char",
      -- One that has succeeded is never put back.
      v.state <> 'S'
    from unnest(predecessors) with ordinality p (id, n)
    cross join lateral (
      select t.state::text as state from task t where t.id = p.id and t.submitted_by = submitter
      union all
      select f.state::text from finished_task f where f.id = p.id and f.submitted_by = submitter
      offset 0) v;
    get diagnostics stored = row_count;
    if stored < cardinality(predecessors) then
      raise exception using
        errcode = 'invalid_parameter_value',
        message = (
          select 'after: there is no task ' || p.id || ' that this role has scheduled'
          from unnest(predecessors) with ordinality p (id, n)
          where not exists (select from task_edge e where e.predecessor = p.id and e.successor = new_id)
          order by p.n
          limit 1);
    end if;
    select count(*) into open_edges from task_edge e where e.successor = new_id and e.open;
    -- Those of this transaction, savepoints included: seen, although whoever wrote them has not committed. Nobody else sees them,
    -- so their rows may be locked; the row of any other task would stay locked for as long as this transaction.
    own := array(
      select t.id
      from unnest(predecessors) p (id)
      cross join lateral (select m.id, m.xmin, m.created_at from task m where m.id = p.id offset 0) t
      where case
        when t.created_at < extract(epoch from transaction_timestamp()) * 1000000 then false
        when age(pg_current_xact_id()::xid) - age(t.xmin) < 0 then false
        else pg_xact_status(
          (pg_current_xact_id()::text::bigint + age(pg_current_xact_id()::xid) - age(t.xmin))::text::xid8) = 'in progress'
      end);
    update task t set has_successors = true where t.id = any (own) and not t.has_successors;
    insert into task_to_follow (task_id)
    select e.predecessor from task_edge e where e.successor = new_id and e.open and e.predecessor <> all (own);
    if open_edges > 0 then
      insert into task_await (task_id, queue_id, open) values (new_id, queue, open_edges);
    end if;
  end if;

  insert into task (
    id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, max_attempts, backoff_initial_micros,
    backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, payload, collection, start_deadline, key_id,
    submitted_by, fairness_key, fairness_weight, has_predecessors)
  values (
    new_id,
    extract(epoch from due) * 1000000,
    extract(epoch from due) * 1000000,
    clock_micros,
    0,
    queue,
    0,
    case when open_edges > 0 then 'A' else 'N' end,
    case when has_policy then coalesce(kairos_schedule.max_attempts, 101) end,
    case when has_policy then wait_before_s * 1000000 end,
    case when has_policy then coalesce(kairos_schedule.backoff_factor, 2) end,
    case when has_policy then wait_most_s * 1000000 end,
    timeout_s * 1000000,
    kairos_schedule.traceparent,
    coalesce(content, kairos_schedule.payload),
    kairos_schedule.collection,
    extract(epoch from latest) * 1000000,
    key_number,
    submitter,
    coalesce(kairos_schedule.fairness_key, case when is_shared then '' end),
    case when kairos_schedule.fairness_key is not null then coalesce(kairos_schedule.fairness_weight, 1) end,
    -- that of one that awaits some is set when it is ready: edge_ready.sql
    open_edges = 0 and cardinality(predecessors) > 0);

  -- Only what comes sooner than nodes poll, and not when a transaction that has committed has just told them: they look
  -- twice when they are told, so that what commits just after is seen too. One that is under way or younger may still be
  -- rolled back, and its notification with it: then both tell.
  if due < clock + interval '2 s' and open_edges = 0 then
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

-- Stores a message that the delay queue publishes to a topic when it is due, at once when that is now: an outbox without a log
-- that is read. The route is the first whose nodes have stated that they publish to the topic.
create function kairos_publish(
  topic text,
  payload bytea default '',
  run_at timestamptz default null,
  delay interval default null,
  message_key bytea default null,
  header_names text[] default null,
  header_values bytea[] default null,
  -- with run_at: messages with the same key, run_at and topic are one while the first waits
  idempotency_key text default null,
  traceparent text default null
) returns uuid
language plpgsql
security definer
as $$
#variable_conflict use_column
declare
  clock constant timestamptz := clock_timestamp();
  due timestamptz;
  due_micros bigint;
  delay_s constant numeric := extract(epoch from kairos_publish.delay);
  names text[] := array(select unnest(kairos_publish.header_names));
  contents bytea[] := array(select unnest(kairos_publish.header_values));
  own record;
  other_topic text;
  bits bytea;
  new_id uuid;
  wrong text;
begin
  if delay_s not between 0 and 10000 * 366 * 86400::numeric then
    raise exception using
      errcode = 'invalid_parameter_value', message = 'delay: must not be negative, and must end before the year 10000';
  end if;
  due := coalesce(kairos_publish.run_at, clock + kairos_publish.delay, clock);
  select r.id, r.output, r.relays_id into own
  from route r
  where kairos_publish.topic = any (r.posts_to)
  order by r.id
  limit 1;
  wrong := case
    when kairos_publish.topic is null or kairos_publish.topic !~ '^[a-zA-Z0-9._-]{1,249}$'
      then 'topic: must be a Kafka topic''s name: 1 to 249 of letters, digits and . _ -'
    when own.id is null
      then 'topic: ' || kairos_publish.topic || ' must be the output topic of a route, or on its allowed-outputs, of a node that has'
        || ' started with version 20 of the schema'
    when kairos_publish.payload is null then 'payload: must not be null'
    when kairos_publish.run_at is not null and kairos_publish.delay is not null
      then 'run_at: must not be given together with delay'
    when due not between '0001-01-01 00:00:00Z' and '9999-12-31 23:59:59.999999Z'
      then case
        when kairos_publish.delay is null then 'run_at: must be a time from year 0001 to 9999'
        else 'delay: must not be negative, and must end before the year 10000'
      end
    when cardinality(names) > 100 then 'header_names: must be at most 100'
    when cardinality(contents) <> cardinality(names) or array_position(contents, null) > 0
      then 'header_values: must be as many as header_names, and none null'
    when exists (select from unnest(names) h (name) where h.name is null or length(h.name) not between 1 and 256)
      then 'header_names: each must have 1 to 256 characters'
    when exists (select from unnest(names) h (name) where starts_with(lower(h.name collate "C"), 'kairos-'))
      then 'header_names: must not begin with kairos-'
    when octet_length(kairos_publish.payload) + coalesce(octet_length(kairos_publish.message_key), 0)
      + (select coalesce(sum(length(h.name) + octet_length(h.content)), 0) from unnest(names, contents) h (name, content)) > 1048576
      then 'payload: must be at most 1,048,576 bytes together with key and headers'
    when length(kairos_publish.idempotency_key) not between 1 and 256
      or kairos_publish.idempotency_key ~ '[\u0001-\u001F\u007F-\u009F]'
      then 'idempotency_key: must have 1 to 256 characters, and no control characters'
    when starts_with(kairos_publish.idempotency_key, 'kairos-')
      then 'idempotency_key: must not begin with kairos-, which Kairos itself uses'
    when kairos_publish.idempotency_key is not null and kairos_publish.run_at is null
      then 'run_at: must be given together with an idempotency key'
    when kairos_publish.traceparent !~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?$'
      then 'traceparent: must be a W3C trace context'
  end;
  if wrong is not null then
    raise exception using errcode = 'invalid_parameter_value', message = wrong;
  end if;
  due_micros := extract(epoch from due) * 1000000;
  other_topic := nullif(kairos_publish.topic, own.output);

  -- As the domain's PostedId makes it: 48 bits of time, the version 8, the number of the route in 20 bits, and 54 others that are
  -- random, or the hash of the idempotency key.
  bits := case
    when kairos_publish.idempotency_key is null then uuid_send(gen_random_uuid())
    else decode(md5(convert_to(kairos_publish.idempotency_key || coalesce(E'\n' || other_topic, ''), 'UTF8')), 'hex')
  end;
  new_id := encode(
    int8send(
      (case
        when kairos_publish.idempotency_key is null then (extract(epoch from clock) * 1000)::bigint
        else due_micros / 1000
      end << 16)
      | 32768 | (get_byte(bits, 0) << 4) | (get_byte(bits, 1) >> 4))
    || int8send(
      '-9223372036854775808'::bigint
      | (own.id::bigint << 42)
      | (('x' || encode(substr(bits, 9), 'hex'))::bit(64)::bigint & 4398046511103)),
    'hex')::uuid;

  if kairos_publish.traceparent is not null then
    names := names || text 'traceparent';
    contents := contents || convert_to(kairos_publish.traceparent, 'UTF8');
  end if;
  if own.relays_id then
    names := names || text 'kairos-id';
    contents := contents || convert_to(new_id::text, 'UTF8');
  end if;
  insert into delayed_message (route_id, id, deadline, message_headers, message_key, message_value, output)
  values (
    own.id,
    new_id::text,
    due_micros,
    kairos_headers(names, contents),
    kairos_publish.message_key,
    kairos_publish.payload,
    other_topic)
  on conflict (route_id, id) do nothing;
  if not found and kairos_publish.idempotency_key is null then
    raise exception using errcode = 'unique_violation', message = 'an id that was drawn is taken: try again';
  end if;
  return new_id;
end
$$;

do $$
declare
  former regprocedure;
  successor regprocedure;
  given record;
begin
  select p.oid into strict former
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.proname = 'kairos_schedule' and n.nspname = current_schema() and p.pronargs = 19;
  select p.oid into strict successor
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.proname = 'kairos_schedule' and n.nspname = current_schema() and p.pronargs = 29;
  execute format('alter function %s set search_path = %I, pg_temp', successor, current_schema());
  execute format('revoke execute on function %s from public', successor);
  execute format('alter function kairos_publish set search_path = %I, pg_temp', current_schema());
  revoke execute on function kairos_publish from public;
  for given in
    select a.grantee, a.is_grantable
    from pg_proc p cross join aclexplode(p.proacl) a
    where p.oid = former and a.privilege_type = 'EXECUTE' and a.grantee <> p.proowner
  loop
    execute format(
      'grant execute on function %s to %s %s',
      successor,
      case when given.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(given.grantee)) end,
      case when given.is_grantable then 'with grant option' end);
  end loop;
  begin
    execute format('drop function %s', former);
  exception when dependent_objects_still_exist then
    execute format('alter function %s rename to kairos_schedule_19', former);
    execute format(
      'create or replace function kairos_schedule_19(%s) returns uuid language sql security definer'
        || ' set search_path = %I, pg_temp as %L',
      pg_get_function_arguments(former),
      current_schema(),
      'select kairos_schedule(' || (select string_agg('$' || n, ', ' order by n) from generate_series(1, 19) n) || ')');
  end;
end
$$;
