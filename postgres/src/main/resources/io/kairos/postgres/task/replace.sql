-- Replaces the content of waiting tasks, which keep their ids and their attempts. They wait for their new due times without
-- a holder; with :max_waits at most so long after they were stored, but one that is to be retried not for less than before.
-- Empty arrays as in insert.sql. Index: task_pkey, task_await_pkey, one probe each per task; task_queue_pkey. The rows are
-- locked already; as many as ids.
with counted as (
  update task_await a
  set queue_id = n.queue_id
  from unnest(:ids::uuid[], :queue_ids::integer[]) n (id, queue_id)
  where a.task_id = any (array[n.id])
)
update task t
set
  queue_id = n.queue_id,
  due_at = least(n.due_at, t.created_at + n.max_wait),
  next_trigger = greatest(
    least(n.due_at, t.created_at + n.max_wait),
    case when n.max_wait is not null and t.state::text = 'R' then nullif(t.next_trigger, {never}) end),
  state = case when t.state = 'A' then 'A'::"char" when t.attempt = 0 then 'N'::"char" else 'R'::"char" end,
  holder = null,
  fence = t.fence + 1,
  payload = n.payload,
  max_attempts = n.max_attempts,
  backoff_initial_micros = n.backoff_initial,
  backoff_factor = n.backoff_factor,
  backoff_max_micros = n.backoff_max,
  execution_timeout_micros = n.execution_timeout,
  traceparent = n.traceparent,
  collection = n.collection,
  start_deadline = n.start_deadline,
  submitted_by = n.submitted_by,
  fairness_key = coalesce(
    n.fairness_key,
    case when (select q.is_fair from task_queue q where q.id = n.queue_id) then '' end),
  fairness_weight = n.fairness_weight,
  limits = n.limits
from unnest(
  :ids::uuid[], :queue_ids::integer[], :dues::bigint[], :payloads::bytea[], :max_attempts::integer[],
  :backoff_initials::bigint[], :backoff_factors::double precision[], :backoff_maxes::bigint[],
  :execution_timeouts::bigint[], :traceparents::text[], :collections::text[], :start_deadlines::bigint[], :submitters::text[],
  :max_waits::bigint[], :fairness_keys::text[], :fairness_weights::bigint[], :limits::text[])
  n (id, queue_id, due_at, payload, max_attempts, backoff_initial, backoff_factor, backoff_max, execution_timeout,
    traceparent, collection, start_deadline, submitted_by, max_wait, fairness_key, fairness_weight, limits)
where t.id = any (array[n.id])
