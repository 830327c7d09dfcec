-- Fairness keys: whose share of its queue a task uses up, and by which weight. An empty key is that of tasks without one in a
-- queue that has had tasks with one; other tasks have null.
alter table task add column fairness_key text collate "C", add column fairness_weight integer;
alter table finished_task add column fairness_key text collate "C", add column fairness_weight integer;
alter table schedule add column fairness_key text collate "C", add column fairness_weight integer;

-- True once the queue has had a task with a fairness key.
alter table task_queue add column is_fair boolean not null default false;

-- The waiting tasks of each fairness key in due order: task_waiting has those of all keys of a queue in one order. No row has a key
-- yet, so it is built in a moment unless the table is large. Then it is for its owner to build, concurrently, before keys take
-- turns: see ADR 35 and docs/upgrading.md. The state is compared as text so that no plan takes task_waiting for it.
do $$
begin
  if pg_relation_size('task') < 100 * 1024 * 1024 then
    create index task_fair on task (queue_id, fairness_key, next_trigger)
    where fairness_key is not null and state::text in ('N', 'R');
  end if;
end
$$;

-- The function of migration 8, whose tasks are found by an empty key in a queue that has had tasks with one. It keeps its grants,
-- but not its settings.
create or replace function kairos_schedule(
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
  max_backoff interval default null,
  -- instead of start_deadline: so long after the due time
  reject_beyond interval default null
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
  queue integer;
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
    when kairos_schedule.handler is null or kairos_schedule.handler !~ name_rule
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
  end;
  if wrong is not null then
    raise exception using errcode = 'invalid_parameter_value', message = wrong;
  end if;
  latest := coalesce(
    kairos_schedule.start_deadline,
    least(due + kairos_schedule.reject_beyond, '9999-12-31 23:59:59.999999Z'));

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

  -- A queue is not removed below a transaction that may use it: that has a number.
  perform pg_current_xact_id();
  loop
    -- Under an older snapshot a queue may look as if it were not retired: then the lock fails.
    if current_setting('transaction_isolation') = 'read committed' then
      select q.id, q.retired_at into queue, retired
      from task_queue q
      where q.handler = kairos_schedule.handler and q.priority = kairos_schedule.priority;
    else
      select q.id, q.retired_at into queue, retired
      from task_queue q
      where q.handler = kairos_schedule.handler and q.priority = kairos_schedule.priority
      for share;
    end if;
    exit when found and retired is null;
    if found then
      update task_queue q set retired_at = null where q.id = queue;
      exit when found;
    end if;
    insert into task_queue (handler, priority, made_by)
    select kairos_schedule.handler, kairos_schedule.priority, maker
    where (select count(*) from task_queue) < 10000
      and (select count(*) from task_queue m where m.made_by = maker) < 2500
    on conflict on constraint task_queue_handler_priority_key do nothing;
    if not found and not exists (
      select from task_queue q
      where q.handler = kairos_schedule.handler and q.priority = kairos_schedule.priority
    ) then
      raise exception using
        errcode = 'configuration_limit_exceeded',
        message = 'handler: there are 10,000 queues, or 2,500 that this role has made, and this would be a new one';
    end if;
  end loop;

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
    backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, payload, collection, start_deadline, key_id,
    submitted_by, fairness_key)
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
    case when has_policy then wait_before_s * 1000000 end,
    case when has_policy then coalesce(kairos_schedule.backoff_factor, 2) end,
    case when has_policy then wait_most_s * 1000000 end,
    timeout_s * 1000000,
    kairos_schedule.traceparent,
    kairos_schedule.payload,
    kairos_schedule.collection,
    extract(epoch from latest) * 1000000,
    key_number,
    'sql:' || session_user,
    (select case when q.is_fair then '' end from task_queue q where q.id = queue));

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

do $$
begin
  execute format(
    'alter function %s set search_path = %I, pg_temp',
    (select p.oid::regprocedure
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.proname = 'kairos_schedule' and n.nspname = current_schema() and p.pronargs = 19),
    current_schema());
end
$$;
