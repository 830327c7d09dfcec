-- Replaces the content of waiting tasks, which keep their ids and their attempts. They wait for their new due times without
-- a holder. Empty arrays as in insert.sql. Index: task_pkey, one probe per task; task_queue_pkey. The rows are locked already; as many as
-- ids.
update task t
set
  queue_id = n.queue_id,
  due_at = n.due_at,
  next_trigger = n.due_at,
  state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end,
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
  fairness_weight = n.fairness_weight
from unnest(
  :ids::uuid[], :queue_ids::integer[], :dues::bigint[], :payloads::bytea[], :max_attempts::integer[],
  :backoff_initials::bigint[], :backoff_factors::double precision[], :backoff_maxes::bigint[],
  :execution_timeouts::bigint[], :traceparents::text[], :collections::text[], :start_deadlines::bigint[], :submitters::text[],
  :fairness_keys::text[], :fairness_weights::bigint[])
  n (id, queue_id, due_at, payload, max_attempts, backoff_initial, backoff_factor, backoff_max, execution_timeout,
    traceparent, collection, start_deadline, submitted_by, fairness_key, fairness_weight)
where t.id = any (array[n.id])
