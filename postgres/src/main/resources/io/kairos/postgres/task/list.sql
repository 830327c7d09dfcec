-- Tasks in these states, of a handler or (:handler null) of all, of a collection and with a key where these are given (a key
-- with its handler), newest first, without payload. Waiting ones and successes
-- are found by walking the primary key downwards from :before, whose order is that of acceptance. Of held ones, which nodes
-- and workers bound, all are read and sorted. Other ends are found each by its range, named by comparisons of rows, which
-- no other index fits. Parts that are not asked for are not run. Only what is not below :down_to, so that what is passed
-- over has a bound too. Index: task_pkey, task_held, finished_task_pkey,
-- finished_task_other, task_key_pkey, task_handler_pkey, task_queue_pkey and task_queue_handler_priority_key. No locks; at
-- most :max_tasks rows, and passes over what does not match down to :down_to.
with wanted as materialized (
  select
    array(select q.id from task_queue q where q.handler = :handler::text) as queue_ids,
    (select k.id from task_key k where k.handler = :handler::text and k.key = :key::text) as key_id
), page as materialized (
  (select
    t.id, t.queue_id, t.state, t.due_at, t.created_at, t.attempt, t.max_attempts, t.backoff_initial_micros,
    t.backoff_factor, t.backoff_max_micros, t.next_trigger, null::bigint as finished_at, t.holder, t.cancel_requested,
    t.failures, t.key_id, null::text as key, t.collection, t.start_deadline,
    t.execution_timeout_micros, t.traceparent
  from task t
  where cardinality(:waiting::text[]) > 0
    and t.id < :before::uuid
    and t.id >= :down_to::uuid
    and t.state::text = any (:waiting::text[])
    and (:handler::text is null or t.queue_id = any ((select queue_ids from wanted)::integer[]))
    and (:collection::text is null or t.collection = :collection::text)
    and (:key::text is null or t.key_id = (select key_id from wanted))
  order by t.id desc
  limit :max_tasks::integer)
  union all
  (select h.*
  from (
    select
      t.id, t.queue_id, t.state, t.due_at, t.created_at, t.attempt, t.max_attempts, t.backoff_initial_micros,
      t.backoff_factor, t.backoff_max_micros, t.next_trigger, null::bigint, t.holder, t.cancel_requested,
      t.failures, t.key_id, null::text as key, t.collection, t.start_deadline,
    t.execution_timeout_micros, t.traceparent
    from task t
    where cardinality(:held::text[]) > 0 and t.state in ('E', 'P')
    offset 0) h
  where h.id < :before::uuid
    and h.id >= :down_to::uuid
    and h.state::text = any (:held::text[])
    and (:handler::text is null or h.queue_id = any ((select queue_ids from wanted)::integer[]))
    and (:collection::text is null or h.collection = :collection::text)
    and (:key::text is null or h.key_id = (select key_id from wanted))
  order by h.id desc
  limit :max_tasks::integer)
  union all
  (select
    f.id, f.queue_id, f.state, f.due_at, f.created_at, f.attempt, f.max_attempts, f.backoff_initial_micros,
    f.backoff_factor, f.backoff_max_micros, null, f.finished_at, null, false, f.failures,
    null::bigint, f.key, f.collection, f.start_deadline,
    f.execution_timeout_micros, f.traceparent
  from finished_task f
  where :succeeded::boolean
    and f.id < :before::uuid
    and f.id >= :down_to::uuid
    and f.state::text = 'S'
    and (:handler::text is null or f.queue_id = any ((select queue_ids from wanted)::integer[]))
    and (:collection::text is null or f.collection = :collection::text)
    and (:key::text is null or f.key = :key::text)
  order by f.id desc
  limit :max_tasks::integer)
  union all
  (select o.*
  from unnest(:other_ends::text[]) e (state)
  cross join lateral (
    select
      f.id, f.queue_id, f.state, f.due_at, f.created_at, f.attempt, f.max_attempts, f.backoff_initial_micros,
      f.backoff_factor, f.backoff_max_micros, null::bigint, f.finished_at, null::text, false,
      f.failures, null::bigint, f.key, f.collection, f.start_deadline,
    f.execution_timeout_micros, f.traceparent
    from finished_task f
    where f.state <> 'S'
      and (f.state, f.id) < (e.state::"char", :before::uuid)
      and (f.state, f.id) >= (e.state::"char", :down_to::uuid)
      and (:handler::text is null or f.queue_id = any ((select queue_ids from wanted)::integer[]))
      and (:collection::text is null or f.collection = :collection::text)
      and (:key::text is null or f.key = :key::text)
    order by f.state desc, f.id desc
    limit :max_tasks::integer) o)
)
select
  v.id, q.handler, q.priority, v.state, v.due_at, v.created_at, v.attempt, v.next_trigger, v.finished_at, v.holder,
  v.cancel_requested,
  array(select (e.failure ->> 'attempt')::bigint
    from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
  array(select (e.failure ->> 'at')::bigint
    from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
  array(select e.failure ->> 'error'
    from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
  v.failures -> -1 ->> 'result',
  null::bytea as payload, coalesce(v.max_attempts, h.max_attempts),
  coalesce(v.backoff_initial_micros, h.backoff_initial_micros), coalesce(v.backoff_factor, h.backoff_factor),
  coalesce(v.backoff_max_micros, h.backoff_max_micros), v.execution_timeout_micros,
  case when v.key_id is null then v.key else (select k.key from task_key k where k.id = v.key_id) end,
  v.collection, v.start_deadline, v.traceparent
from (select * from page order by id desc limit :max_tasks::integer) v
cross join lateral (select * from task_queue n where n.id = v.queue_id offset 0) q
left join lateral (select * from task_handler s where s.handler = q.handler offset 0) h on v.max_attempts is null
order by v.id desc
