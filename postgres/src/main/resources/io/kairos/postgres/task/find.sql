-- All that is known of a task, live or finished: it is in one of the two in every snapshot. Index: task_pkey,
-- finished_task_pkey, task_queue_pkey, task_key_pkey, task_handler_pkey. No locks; one row or none.
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
  v.payload, coalesce(v.max_attempts, h.max_attempts),
  coalesce(v.backoff_initial_micros, h.backoff_initial_micros), coalesce(v.backoff_factor, h.backoff_factor),
  coalesce(v.backoff_max_micros, h.backoff_max_micros), v.execution_timeout_micros,
  case when v.key_id is null then v.key else (select k.key from task_key k where k.id = v.key_id) end,
  v.collection, v.start_deadline, v.traceparent
from (
  select
    t.id, t.queue_id, t.state, t.due_at, t.created_at, t.attempt, t.max_attempts, t.backoff_initial_micros,
    t.backoff_factor, t.backoff_max_micros, t.payload, t.next_trigger, null::bigint as finished_at, t.holder,
    t.cancel_requested, t.failures, t.key_id, null::text as key, t.collection, t.start_deadline,
    t.execution_timeout_micros, t.traceparent
  from task t
  where t.id = :id::uuid
  union all
  select
    f.id, f.queue_id, f.state, f.due_at, f.created_at, f.attempt, f.max_attempts, f.backoff_initial_micros,
    f.backoff_factor, f.backoff_max_micros, f.payload, null, f.finished_at, null, false, f.failures,
    null::bigint, f.key, f.collection, f.start_deadline,
    f.execution_timeout_micros, f.traceparent
  from finished_task f
  where f.id = :id::uuid) v
cross join lateral (select * from task_queue n where n.id = v.queue_id offset 0) q
left join lateral (select * from task_handler s where s.handler = q.handler offset 0) h on v.max_attempts is null
