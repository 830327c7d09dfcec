-- Moves tasks in processing that still carry their fence to the history: with :lapsed_by those whose lease has ended by
-- then and by the store's clock, with :only_if_cancelled only those whose cancel was requested. Passes over results of
-- attempts that have taken longer than their execution timeout. Tasks with a key only when :keyed: then they and their
-- keys are locked already. The note of an attempt is kept with the failures, that of a success as its result. The
-- payload is kept of tasks that can be put back. See claim.sql for the form of the conditions. Index: task_pkey, one
-- probe per task; task_limit_pkey; writes all of finished_task. Locks the rows in the order of the ids, sorted by the
-- caller, then the limits of their queues in the order of their numbers, then those of handlers with an admission
-- quota; as many rows as ids. Returns the queue where it is limited.
with {clock}, settled as (
  delete from task t
  using unnest(:ids::uuid[], :fences::bigint[], :states::text[], :notes::text[], :workers::text[])
    s (id, fence, state, note, worker)
  where {still_processing}
    and (:lapsed_by::bigint is null or t.next_trigger <= least(:lapsed_by::bigint, (select micros from clock)))
    and (not :only_if_cancelled::boolean or t.cancel_requested)
    and (t.attempt_until is null
      or t.attempt_until > (select micros from clock)
      or :lapsed_by::bigint is not null
      or s.state = 'C')
  returning
    t.id,
    s.fence as settled_fence,
    t.due_at,
    t.created_at,
    t.queue_id,
    t.attempt,
    s.state::"char" as state,
    t.max_attempts,
    t.backoff_initial_micros,
    t.backoff_factor,
    t.backoff_max_micros,
    t.execution_timeout_micros,
    t.traceparent,
    t.collection,
    t.key_id,
    t.start_deadline,
    t.fence,
    case
      when s.note is null then t.failures
      else
        case when jsonb_array_length(t.failures) >= 10 then t.failures - 0 else coalesce(t.failures, '[]') end
        || jsonb_build_array(
          jsonb_build_object(
            'attempt', t.attempt,
            'at', (select micros from clock),
            case when s.state = 'S' then 'result' else 'error' end, s.note))
    end as failures,
    case when s.state in ('F', 'D') then t.payload end as payload
), kept as (
  {history}
  select
    id, (select micros from clock), due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros,
    backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection,
    case when key_id is not null then (select k.key from task_key k where k.id = key_id) end,
    start_deadline, fence
  from settled
), {freed}, counted as (
  -- only while a handler has an admission quota
  {unfinished_less}
  where h.handler = any (array[e.handler])
    and h.max_unfinished is not null
    and exists (select from task_handler a where a.max_unfinished is not null)
)
select g.id, g.settled_fence, (select f.queue_id from freed f where f.queue_id = g.queue_id) from settled g
