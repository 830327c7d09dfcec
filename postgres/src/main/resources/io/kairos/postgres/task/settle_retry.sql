-- Makes tasks in processing that still carry their fence wait for another attempt, unless their cancel was requested;
-- with :lapsed_by only those whose lease has ended by then and by the store's clock. Tasks with a key or with limits by key only
-- when :keyed: then they, their keys and limits are locked already. Notes the attempt as failed. See
-- claim.sql for the form of the conditions, settle_finish.sql for limits. Index: task_pkey, one probe per task;
-- task_limit_pkey. Locks the rows in the order of the ids, sorted by the caller, then the limits of their queues; as
-- many rows as ids. The start and the limit of the attempt are removed, which older nodes would leave for the next one.
with {clock}, settled as (
  update task t
  set
    state = 'R',
    holder = null,
    fence = t.fence + 1,
    next_trigger = (select micros from clock) + s.delay,
    attempt_began = null,
    attempt_until = null,
    failures =
      {earlier_failures}
      || jsonb_build_array(
        jsonb_strip_nulls(jsonb_build_object(
          'attempt', t.attempt,
          'begun', t.attempt_began,
          'at', (select micros from clock),
          'state', 'R',
          'class', nullif(s.error_class, ''),
          'fingerprint', s.fingerprint,
          'error', s.error,
          'stack', s.stack)))
  from unnest(
    :ids::uuid[], :fences::bigint[], :delays::bigint[], :errors::text[], :classes::text[], :workers::text[],
    :callers::text[], :fingerprints::text[], :stacks::text[])
    s (id, fence, delay, error, error_class, worker, caller, fingerprint, stack)
  where {still_processing}
    and not t.cancel_requested
    and (:lapsed_by::bigint is null or t.next_trigger <= least(:lapsed_by::bigint, (select micros from clock)))
  returning t.id, s.fence, t.queue_id, (t.failures -> -1 ->> 'begun')::bigint as attempt_began, t.traceparent
), {freed}
select r.id, r.fence, (select f.queue_id from freed f where f.queue_id = r.queue_id),
  r.queue_id, (select micros from clock) - r.attempt_began, r.traceparent, null
from settled r
