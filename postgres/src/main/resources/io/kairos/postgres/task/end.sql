-- Moves tasks that no worker performs to the history as :state, and notes an :error as that of their last attempt. The
-- payload is kept of tasks that can be put back. Index: task_pkey, one probe per task; writes all of finished_task. The
-- rows and their keys are locked already, as many as ids; locks the rows of handlers that have an admission quota.
with {clock}, settled as (
  delete from task t
  using unnest(:ids::uuid[]) n (id)
  where t.id = any (array[n.id])
  returning t.*
), counted as (
  -- only while a handler has an admission quota
  {unfinished_less}
  where h.handler = e.handler and h.max_unfinished is not null
)
{history}
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
from settled g
