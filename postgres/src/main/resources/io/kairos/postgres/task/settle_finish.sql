-- Moves tasks in processing that still carry their fence to the history: with :only_if_lapsed only those whose lease has
-- ended, with :only_if_cancelled only those whose cancel was asked for. Those with a key only when :keyed: then they and
-- their keys are locked already. What an attempt said is noted with the failures, of a success as its result. The payload
-- is kept of those that can be put back. See claim.sql for the form of the conditions. Index: task_pkey, one probe per
-- task; task_limit_pkey; writes all of finished_task. Locks the rows in the order of the ids, sorted by the caller, then
-- the limits of their queues in the order of their numbers, then those of handlers with an admission quota; as many rows as
-- ids. Names the queue where it is limited.
with clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
), gone as (
  delete from task t
  using unnest(:ids::uuid[], :fences::bigint[], :states::text[], :notes::text[]) s (id, fence, state, note)
  where t.id = any (array[s.id])
    and t.fence = s.fence
    and t.state::text = 'P'
    and (t.key_id is null or :keyed::boolean)
    and (not :only_if_lapsed::boolean or t.next_trigger <= (select micros from clock))
    and (not :only_if_cancelled::boolean or t.cancel_requested)
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
  insert into finished_task (
    id, finished_at, due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros, backoff_factor,
    backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection, key, start_deadline, fence)
  select
    id, (select micros from clock), due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros,
    backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection,
    case when key_id is not null then (select k.key from task_key k where k.id = key_id) end,
    start_deadline, fence
  from gone
), freed as materialized (
  select l.queue_id, e.ended
  from (select queue_id, count(*) as ended from gone group by queue_id) e
  join task_limit l on l.queue_id = e.queue_id
  order by l.queue_id
  for no key update of l
), uncounted as (
  update task_limit l set running = greatest(0, l.running - f.ended) from freed f where l.queue_id = f.queue_id
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
  where h.handler = any (array[e.handler])
    and h.max_unfinished is not null
    and exists (select from task_handler a where a.max_unfinished is not null)
)
select g.id, g.settled_fence, (select f.queue_id from freed f where f.queue_id = g.queue_id) from gone g
