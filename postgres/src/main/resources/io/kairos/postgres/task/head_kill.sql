-- Moves a head that is to be skipped to the history, as dead. Index: task_pkey; writes all of finished_task. The row is
-- locked already; one. Locks that of its handler if that has an admission quota.
with clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
), gone as (
  delete from task where id = :id::uuid returning *
), counted as (
  update task_handler h
  set unfinished = h.unfinished - 1
  from gone g
  cross join lateral (select n.handler from task_queue n where n.id = g.queue_id offset 0) q
  where h.handler = q.handler and h.max_unfinished is not null
)
insert into finished_task (
  id, finished_at, due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros, backoff_factor,
  backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection, key, start_deadline, fence)
select
  g.id, (select micros from clock), g.due_at, g.created_at, g.queue_id, g.attempt, 'D', g.max_attempts,
  g.backoff_initial_micros, g.backoff_factor, g.backoff_max_micros, g.execution_timeout_micros, g.traceparent,
  case when jsonb_array_length(g.failures) >= 10 then g.failures - 0 else coalesce(g.failures, '[]') end
  || jsonb_build_array(
    jsonb_build_object('attempt', g.attempt, 'at', (select micros from clock), 'error', 'skipped by an operator')),
  g.payload, g.collection, (select k.key from task_key k where k.id = g.key_id), g.start_deadline, g.fence
from gone g
