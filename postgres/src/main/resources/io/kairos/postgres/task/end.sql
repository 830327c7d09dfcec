-- Moves tasks that nobody performs to the history as :state; an :error is noted as that of their last attempt. The payload
-- is kept of those that can be put back. Index: task_pkey, one probe per task; writes all of finished_task. The rows and
-- their keys are locked already, as many as ids; locks those of handlers that have an admission quota.
with clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
), gone as (
  delete from task t
  using unnest(:ids::uuid[]) n (id)
  where t.id = any (array[n.id])
  returning t.*
), counted as (
  -- only while a handler has an admission quota
  update task_handler h
  set unfinished = h.unfinished - e.ended
  from (
    select q.handler, count(*) as ended
    from gone g
    cross join lateral (select n.handler from task_queue n where n.id = g.queue_id offset 0) q
    group by q.handler
    order by q.handler) e
  where h.handler = e.handler and h.max_unfinished is not null
)
insert into finished_task (
  id, finished_at, due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros, backoff_factor,
  backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection, key, start_deadline, fence)
select
  g.id, (select micros from clock), g.due_at, g.created_at, g.queue_id, g.attempt, :state::text::"char", g.max_attempts,
  g.backoff_initial_micros, g.backoff_factor, g.backoff_max_micros, g.execution_timeout_micros, g.traceparent,
  case
    when :error::text is null then g.failures
    else
      case when jsonb_array_length(g.failures) >= 10 then g.failures - 0 else coalesce(g.failures, '[]') end
      || jsonb_build_array(
        jsonb_build_object('attempt', g.attempt, 'at', (select micros from clock), 'error', :error::text))
  end,
  case when :state::text in ('F', 'D') then g.payload end,
  g.collection, case when g.key_id is not null then (select k.key from task_key k where k.id = g.key_id) end,
  g.start_deadline, g.fence
from gone g
