-- Moves a task that nobody performs to the history, as cancelled. Index: task_pkey; writes all of finished_task. The row is
-- locked already; one row. Locks that of its handler if that has an admission quota.
with gone as (
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
  backoff_max_micros, execution_timeout_micros, traceparent, failures, collection, key, start_deadline, fence)
select
  id, (extract(epoch from clock_timestamp()) * 1000000)::bigint, due_at, created_at, queue_id, attempt, 'C', max_attempts,
  backoff_initial_micros, backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, failures, collection,
  case when key_id is not null then (select k.key from task_key k where k.id = gone.key_id) end,
  start_deadline, fence
from gone
