-- Stores new tasks. Those with fence 1 are on their queue, held by :node; the others wait or are blocked. The keys of tasks
-- that have one are locked. With :unless_quota nothing is stored while a handler of :distinct_queues has an admission
-- quota, which must be checked first; and nothing while one of these queues is retired or gone, because the node has kept
-- its number for too long. Arrays that would hold only nulls may be empty: unnest fills up with nulls. Index:
-- writes all; task_queue_pkey, task_handler_pkey. A task without a fairness key has an empty one in a queue that has had tasks
-- with one. Locks nothing that exists; in the order of the ids, sorted by the caller,
-- so that neighbours share index pages. As many rows as tasks.
with fair as materialized (
  select q.id
  from unnest(:distinct_queues::integer[]) d (id)
  cross join lateral (select f.id from task_queue f where f.id = d.id and f.is_fair offset 0) q
)
insert into task (
  id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, holder, max_attempts, backoff_initial_micros,
  backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, payload, key_id, collection,
  start_deadline, schedule_id, submitted_by, fairness_key, fairness_weight, batch_id, limits)
select
  n.id,
  case
    when n.fence = 1 then greatest(n.due_at, clock.micros) + :enqueue_timeout_micros::bigint
    else n.due_at
  end,
  n.due_at,
  clock.micros,
  n.fence,
  n.queue_id,
  0,
  case when n.fence = 1 then 'E'::"char" else coalesce(n.state, 'N')::"char" end,
  case when n.fence = 1 then :node::text end,
  n.max_attempts,
  n.backoff_initial,
  n.backoff_factor,
  n.backoff_max,
  n.execution_timeout,
  n.traceparent,
  n.payload,
  n.key_id,
  n.collection,
  n.start_deadline,
  n.schedule_id,
  n.submitted_by,
  coalesce(
    n.fairness_key,
    case when exists (select from fair) and exists (select from fair f where f.id = n.queue_id) then '' end),
  n.fairness_weight,
  n.batch_id::uuid,
  n.limits
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
cross join unnest(
  :ids::uuid[], :queue_ids::integer[], :dues::bigint[], :fences::integer[], :payloads::bytea[],
  :max_attempts::integer[], :backoff_initials::bigint[], :backoff_factors::double precision[],
  :backoff_maxes::bigint[], :execution_timeouts::bigint[], :traceparents::text[], :key_ids::bigint[],
  :states::text[], :collections::text[], :start_deadlines::bigint[],
  :schedules::uuid[], :submitters::text[], :fairness_keys::text[], :fairness_weights::bigint[],
  :batches::text[], :limits::text[])
  n (id, queue_id, due_at, fence, payload, max_attempts, backoff_initial, backoff_factor, backoff_max,
    execution_timeout, traceparent, key_id, state, collection, start_deadline,
    schedule_id, submitted_by, fairness_key, fairness_weight, batch_id, limits)
where (
    not :unless_quota::boolean
    or not exists (select from task_handler a where a.max_unfinished is not null)
    or not exists (
      select
      from unnest(:distinct_queues::integer[]) d (id)
      cross join lateral (select q.handler from task_queue q where q.id = d.id offset 0) q
      cross join lateral (
        select from task_handler h where h.handler = q.handler and h.max_unfinished is not null offset 0) h))
  and cardinality(:distinct_queues::integer[]) = (
    select count(*)
    from unnest(:distinct_queues::integer[]) d (id)
    cross join lateral (select 1 from task_queue q where q.id = d.id and q.retired_at is null offset 0) q)
