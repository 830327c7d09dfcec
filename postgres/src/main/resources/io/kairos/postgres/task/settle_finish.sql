-- Moves tasks in processing that still carry their fence to the history: with :lapsed_by those whose lease has ended by
-- then and by the store's clock, with :only_if_cancelled only those whose cancel was requested. Passes over results of
-- attempts that have taken longer than their execution timeout, by the store's clock and by :believed_micros. Tasks with a
-- key only when :keyed: then they and their keys are locked already. See claim.sql for the form of the conditions. Index:
-- task_pkey, one probe per task; task_limit_pkey; writes all of finished_task. Locks the rows in the order of the ids,
-- sorted by the caller, then the limits of their queues in the order of their numbers, then those of handlers with an
-- admission quota; as many rows as ids. Returns the queue where it is limited, then the queue, how long the attempt took, and the trace context.
with {clock}, settled as (
  delete from task t
  using unnest(
    :ids::uuid[], :fences::bigint[], :states::text[], :notes::text[], :classes::text[], :workers::text[],
    :callers::text[])
    s (id, fence, state, note, error_class, worker, caller)
  where {still_processing}
    and (:lapsed_by::bigint is null or t.next_trigger <= least(:lapsed_by::bigint, (select micros from clock)))
    and (not :only_if_cancelled::boolean or t.cancel_requested)
    and (t.attempt_until is null
      or t.attempt_until > least(:believed_micros::bigint, (select micros from clock))
      or :lapsed_by::bigint is not null
      or s.state = 'C')
  returning
    {ended}, s.fence as settled_fence
), kept as (
  {history}
), {freed}, counted as (
  -- only while a handler has an admission quota
  {unfinished_less}
  where h.handler = any (array[e.handler])
    and h.max_unfinished is not null
    and exists (select from task_handler a where a.max_unfinished is not null)
)
select g.id, g.settled_fence, (select f.queue_id from freed f where f.queue_id = g.queue_id),
  g.queue_id, (select micros from clock) - g.attempt_began, g.traceparent
from settled g
