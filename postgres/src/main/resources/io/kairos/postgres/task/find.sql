-- All that is known of a task, live or finished: it is in one of the two in every snapshot. Index: task_pkey,
-- finished_task_pkey, task_queue_pkey. No locks; one row or none.
select
  v.id, q.handler, q.priority, v.state, v.due_at, v.created_at, v.attempt, v.max_attempts, v.backoff_initial_micros,
  v.backoff_factor, v.backoff_max_micros, v.payload, v.next_trigger, v.finished_at, v.holder, v.cancel_requested,
  array(select (e.failure ->> 'attempt')::bigint
    from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
  array(select (e.failure ->> 'at')::bigint
    from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
  array(select e.failure ->> 'error'
    from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth)
from (
  select
    t.id, t.queue_id, t.state, t.due_at, t.created_at, t.attempt, t.max_attempts, t.backoff_initial_micros,
    t.backoff_factor, t.backoff_max_micros, t.payload, t.next_trigger, null::bigint as finished_at, t.holder,
    t.cancel_requested, t.failures
  from task t
  where t.id = :id::uuid
  union all
  select
    f.id, f.queue_id, f.state, f.due_at, f.created_at, f.attempt, f.max_attempts, f.backoff_initial_micros,
    f.backoff_factor, f.backoff_max_micros, f.payload, null, f.finished_at, null, false, f.failures
  from finished_task f
  where f.id = :id::uuid) v
cross join lateral (select * from task_queue n where n.id = v.queue_id offset 0) q
