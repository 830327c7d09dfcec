-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it, what it locks and how many rows it has.

-- The store's clock, one moment for the whole statement.
{clock}:
clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
)

-- The queues and collections that are paused. Locks the pauses against being removed.
{closed}:
closed as materialized (
  select q.id as queue_id, g.collection
  from task_pause g
  cross join lateral (select * from task_queue n where n.handler = g.handler offset 0) q
  where g.until is null or g.until > (select micros from clock)
  for key share of g
)

-- Makes room in the limits of the queues of tasks that were settled. Locks the limits in the order of their numbers.
{freed}:
freed as materialized (
  select l.queue_id, e.ended
  from (
    select queue_id, count(*) as ended from settled where exists (select from task_limit) group by queue_id) e
  join task_limit l on l.queue_id = e.queue_id
  order by l.queue_id
  for no key update of l
), uncounted as (
  update task_limit l set running = greatest(0, l.running - f.ended) from freed f where l.queue_id = f.queue_id
)

-- Takes the tasks that were settled from those that count for admission quotas.
{unfinished_less}:
update task_handler h
set unfinished = h.unfinished - e.ended
from (
  select q.handler, count(*) as ended
  from settled g
  cross join lateral (select n.handler from task_queue n where n.id = g.queue_id offset 0) q
  group by q.handler
  order by q.handler) e

-- The failures of task t to which one more is added: the last 99, the last nine of them with their stacks.
{earlier_failures}:
case
  when jsonb_array_length(t.failures) >= 100 then (t.failures #- array['-10', 'stack']) - 0
  else coalesce(t.failures #- array['-10', 'stack'], '[]')
end

-- A task t that ends in the state s.state, or has succeeded where that is null. The error of its last attempt is kept with the
-- failures. The payload is kept of tasks that can be put back.
{ended}:
t.id, t.due_at, t.created_at, t.queue_id, t.attempt, coalesce(s.state, 'S')::"char" as state, t.max_attempts,
t.backoff_initial_micros, t.backoff_factor, t.backoff_max_micros, t.execution_timeout_micros, t.traceparent, t.collection, t.key_id,
t.start_deadline, t.fence,
case
  when s.error is null then t.failures
  else
    {earlier_failures}
    || jsonb_build_array(
      jsonb_strip_nulls(jsonb_build_object(
        'attempt', t.attempt,
        'begun', {began},
        'at', (select micros from clock),
        'state', s.state,
        'class', nullif(s.error_class, ''),
        'fingerprint', s.fingerprint,
        'error', s.error,
        'stack', s.stack)))
end as failures,
case when s.state in ('F', 'D') then t.payload end as payload,
{began} as attempt_began, t.submitted_by, t.performed_by, t.schedule_id, t.fairness_key, t.fairness_weight, s.result, s.result_type,
t.has_successors, t.batch_id, t.limits

-- When the attempt under way of task t began; null while there is none.
{began}:
case when t.state = 'P' then t.attempt_began end

-- Writes the tasks that were settled, each as {ended}, to the history, and notes the ends of those that have joined a batch.
{history}:
kept as (
  insert into finished_task (
    id, finished_at, due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros, backoff_factor,
    backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection, key, start_deadline, fence,
    attempt_began, submitted_by, performed_by, schedule_id, fairness_key, fairness_weight, result, result_type, batch_id,
    limits)
  select
    id, (select micros from clock), due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros,
    backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection,
    case when key_id is not null then (select k.key from task_key k where k.id = key_id) end, start_deadline, fence,
    attempt_began, submitted_by, performed_by, schedule_id, fairness_key, fairness_weight, result, result_type, batch_id, limits
  from settled
), noted_for_batches as (
  insert into task_batch_end (batch_id, state, tasks)
  select g.batch_id, g.state, 1 from settled g where g.batch_id is not null and exists (select from task_batch)
)

-- Tasks in processing that still carry their fence, deleted, each as {ended}: settle_finish says which.
{finished_now}:
delete from task t
using unnest(
  :ids::uuid[], :fences::bigint[], :states::text[], :errors::text[], :classes::text[], :workers::text[],
  :callers::text[], :fingerprints::text[], :stacks::text[], :results::bytea[], :result_types::text[])
  s (id, fence, state, error, error_class, worker, caller, fingerprint, stack, result, result_type)
where {still_processing}
  and (:lapsed_by::bigint is null or t.next_trigger <= least(:lapsed_by::bigint, (select micros from clock)))
  and (not :only_if_cancelled::boolean or t.cancel_requested)
  and (t.attempt_until is null
    or t.attempt_until > least(:believed_micros::bigint, (select micros from clock))
    or :lapsed_by::bigint is not null
    or s.state = 'C')
returning
  {ended}, s.fence as settled_fence

-- Takes the tasks that were settled from those that count for admission quotas, only while a handler has one.
{unfinished_less_if_any}:
{unfinished_less}
where h.handler = any (array[e.handler])
  and h.max_unfinished is not null
  and exists (select from task_handler a where a.max_unfinished is not null)

-- What is said of tasks g that were settled: the queue where it is limited, then the queue, how long the attempt took, the
-- trace context, and the end where others wait for the task.
{settled_as}:
g.id, g.settled_fence,
case when exists (select from freed) then (select f.queue_id from freed f where f.queue_id = g.queue_id) end,
g.queue_id, (select micros from clock) - g.attempt_began, g.traceparent,
case when g.has_successors then g.state::text end

-- Notes the latest errors of the tasks that were settled, each as {ended}, for those that have one and did not succeed.
{errors}:
insert into task_error (task_id, state, queue_id, ended_at, fingerprint, error_class)
select
  g.id, g.state, g.queue_id, (select micros from clock), g.failures -> -1 ->> 'fingerprint',
  coalesce(g.failures -> -1 ->> 'class', '')
from settled g
where g.state <> 'S' and g.failures -> -1 ->> 'fingerprint' is not null
on conflict (task_id) do update
set
  state = excluded.state,
  queue_id = excluded.queue_id,
  ended_at = excluded.ended_at,
  fingerprint = excluded.fingerprint,
  error_class = excluded.error_class

-- The columns of a finished task that waits again, in the order in which it is moved back. Without its schedule: that counts its
-- unfinished runs, and skips fire times or cancels runs by that.
{put_back}:
insert into task (
  id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, max_attempts, backoff_initial_micros,
  backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection, key_id, submitted_by,
  fairness_key, fairness_weight, batch_id, limits)

-- An enqueued task as it was before it was enqueued, with another fence.
{waiting_again}:
state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end,
next_trigger = case when t.attempt = 0 then t.due_at else t.next_trigger - :timeout_micros::bigint end,
holder = null,
fence = t.fence + 1

-- Tasks that ended long enough ago, the longest ago first, up to a bound.
{ended_long_ago}:
f.finished_at < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :retention_micros::bigint
order by f.finished_at
limit :max_tasks::integer
for update skip locked

-- Removes idempotency keys that were those of the removed tasks while these were unfinished.
{keys_freed}:
freed as (
  delete from task_request r using gone g where r.task_id = any (array[g.id]) and r.mode = 'U'
)

-- Finished tasks of a state, not succeeded, after :after by their ids.
{ended_otherwise}:
f.state <> 'S'
and (f.state, f.id) > (s.state::"char", :after::uuid)

-- A finished task that does not block its ordering key.
{blocks_no_key}:
(f.key is null or not exists (
  select 1
  from task_queue q
  cross join lateral (
    select 1 from task_key k where k.handler = q.handler and k.key = f.key and k.blocked_by = f.id offset 0) k
  where q.id = f.queue_id
  offset 0))

-- A task as TaskViews reads it, with those of its failures that are shown.
{view}:
v.id, q.handler, q.priority, v.state, v.due_at, v.created_at, v.attempt, v.next_trigger, v.finished_at, v.holder,
v.cancel_requested,
array(select (e.failure ->> 'attempt')::bigint
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
array(select (e.failure ->> 'at')::bigint
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
array(select e.failure ->> 'error'
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
v.failures -> -1 ->> 'result',
v.attempt_began,
array(select (e.failure ->> 'begun')::bigint
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
array(select e.failure ->> 'state'
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
array(select e.failure ->> 'class'
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
v.submitted_by, v.performed_by,
array(select e.failure ->> 'fingerprint'
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
(select s.name from schedule s where s.id = v.schedule_id),
v.value, v.result_type,
array(select e.failure ->> 'stack'
  from jsonb_array_elements(v.shown) with ordinality e (failure, nth) order by e.nth),
(v.progress ->> 'percent')::integer, v.progress ->> 'note', (v.progress ->> 'at')::bigint,
v.heartbeat_at,
v.payload, coalesce(v.max_attempts, h.max_attempts),
coalesce(v.backoff_initial_micros, h.backoff_initial_micros), coalesce(v.backoff_factor, h.backoff_factor),
coalesce(v.backoff_max_micros, h.backoff_max_micros), v.execution_timeout_micros,
case when v.key_id is null then v.key else (select k.key from task_key k where k.id = v.key_id) end,
v.collection, v.start_deadline, v.traceparent, nullif(v.fairness_key, ''), v.fairness_weight,
v.limits, v.batch_id

-- The queue and the handler of the task that is viewed.
{view_joins}:
cross join lateral (select * from task_queue n where n.id = v.queue_id offset 0) q
left join lateral (select * from task_handler s where s.handler = q.handler offset 0) h on v.max_attempts is null

-- The columns of a live task from which a view is made.
{live}:
t.id, t.queue_id, t.state, t.due_at, t.created_at, t.attempt, t.max_attempts, t.backoff_initial_micros, t.backoff_factor,
t.backoff_max_micros, nullif(t.next_trigger, {never}) as next_trigger, null::bigint as finished_at, t.holder,
t.cancel_requested, t.failures, t.key_id,
null::text as key, t.collection, t.start_deadline, t.execution_timeout_micros, t.traceparent,
{began} as attempt_began, t.submitted_by, t.performed_by, t.schedule_id, t.fairness_key, t.fairness_weight,
case when t.state = 'P' and (t.progress ->> 'fence')::bigint = t.fence then t.progress end as progress,
case when t.state = 'P' and t.heartbeat_fence = t.fence then t.heartbeat_at end as heartbeat_at,
null::text as result_type, null::bytea as result, t.batch_id, t.limits

-- The columns of a finished task from which a view is made.
{finished}:
f.id, f.queue_id, f.state, f.due_at, f.created_at, f.attempt, f.max_attempts, f.backoff_initial_micros, f.backoff_factor,
f.backoff_max_micros, null::bigint as next_trigger, f.finished_at, null::text as holder, false as cancel_requested, f.failures,
null::bigint as key_id, f.key, f.collection, f.start_deadline, f.execution_timeout_micros, f.traceparent,
f.attempt_began, f.submitted_by, f.performed_by, f.schedule_id, f.fairness_key, f.fairness_weight,
null::jsonb as progress, null::bigint as heartbeat_at, f.result_type, f.result, f.batch_id, f.limits

-- True for an edge e between two runs of a schedule, see RunTurns: both ids are of version 8, and differ in more than the last two
-- digits.
{is_turn}:
(substr(e.predecessor::text, 15, 1) = '8'
  and substr(e.successor::text, 15, 1) = '8'
  and left(e.predecessor::text, 34) <> left(e.successor::text, 34))

-- What unfinished and finished tasks are looked for by, as columns of one row: the queues, the ordering key, the schedule.
{wanted}:
wanted as materialized (
  select
    array(
      select q.id
      from task_queue q
      where q.handler = :handler::text and (:priority::integer is null or q.priority = :priority::integer)
      union all
      select q.id from task_queue q where :handler::text is null and q.priority = :priority::integer) as queue_ids,
    (select k.id from task_key k where k.handler = :handler::text and k.key = :key::text) as key_id,
    (select s.id from schedule s where s.name = :schedule::text) as schedule_id
)

-- How many fire times of a schedule a list looks at: a run of one with steps may have a hundred tasks.
{most_runs}:
case
  when (select s.steps is not null from schedule s where s.name = :schedule::text) then :max_graphs::integer
  else :max_runs::integer
end

-- Unfinished tasks t that match what lists and changes have in common. Of the failures, what is cheap to look at comes first.
{live_matches}:
(not :by_queue::boolean or t.queue_id = any ((select queue_ids from wanted)::integer[]))
and (:collection::text is null or t.collection = :collection::text)
and (:key::text is null or t.key_id = (select key_id from wanted))
and t.due_at >= :from::bigint
and t.due_at < :to::bigint
and t.attempt >= :min_attempts::integer
and (:error_class::text = '' or t.failures -> -1 ->> 'class' = :error_class::text)
and (:fingerprint::text = '' or t.failures -> -1 ->> 'fingerprint' = :fingerprint::text)

-- Unfinished tasks t on the page of a list.
{live_listed}:
t.id < :before::uuid
and t.id >= :down_to::uuid
and {live_matches}
and (:text::text = ''
  or strpos(
    lower(concat_ws(
      chr(10), t.id, t.collection, t.fairness_key, (select k.key from task_key k where k.id = t.key_id),
      t.failures -> -1 ->> 'error')),
    lower(:text::text)) > 0)

-- Finished tasks f on the page of a list. The addition keeps the indexes by age out.
{ended_listed}:
f.id < :before::uuid
and f.id >= :down_to::uuid
and (not :by_queue::boolean or f.queue_id = any ((select queue_ids from wanted)::integer[]))
and (:collection::text is null or f.collection = :collection::text)
and (:key::text is null or f.key = :key::text)
and f.due_at >= :from::bigint
and f.due_at < :to::bigint
and f.finished_at + 0 >= :ended_from::bigint
and f.finished_at + 0 < :ended_to::bigint
and f.attempt >= :min_attempts::integer
and (:error_class::text = '' or (f.state <> 'S' and f.failures -> -1 ->> 'class' = :error_class::text))
and (:fingerprint::text = '' or (f.state <> 'S' and f.failures -> -1 ->> 'fingerprint' = :fingerprint::text))
and (:text::text = ''
  or strpos(
    lower(concat_ws(
      chr(10), f.id, f.collection, f.fairness_key, f.key, f.failures -> -1 ->> 'result',
      case when f.state <> 'S' then f.failures -> -1 ->> 'error' end)),
    lower(:text::text)) > 0
  -- bytes other than ASCII are written alike in both, so that no value need be a text
  or strpos(
    lower(encode(substr(f.result, 1, 8000), 'escape')), lower(encode(convert_to(:text::text, 'UTF8'), 'escape'))) > 0)

-- Unfinished tasks t that a change of many may change.
{changed}:
t.state::text = any (:states::text[])
and {live_matches}
and t.created_at <= :accepted_until::bigint
and (t.start_deadline is null or t.start_deadline >= :due::bigint)

-- Failed tasks that match and can be put back, found: of a handler or (:handler null) of all handlers, of a collection, that
-- ended within a time, with :error somewhere in their last failure, and without those that block their ordering key. With a
-- fingerprint or a class they are found by that, and otherwise by their state. Ranges are named by comparisons of rows,
-- which no other index fits.
{redrivable}:
wanted as materialized (
  select array(select q.id from task_queue q where q.handler = :handler::text) as queue_ids
), found as materialized (
  select o.id
  from (
    select w.id
    from unnest(:states::text[]) s (state)
    cross join lateral (
      select f.id
      from finished_task f
      where :fingerprint::text = ''
        and :error_class::text = ''
        and {ended_otherwise}
        and (f.state, f.id) <= (s.state::"char", :up_to::uuid)
        and {can_be_put_back}
      order by f.state, f.id
      limit :max_tasks::integer) w
    union all
    (select e.task_id
    from task_error e
    cross join lateral (select * from finished_task p where p.id = e.task_id offset 0) f
    where :fingerprint::text <> ''
      and e.fingerprint <> ''
      and (e.fingerprint, e.task_id) > (:fingerprint::text, :after::uuid)
      and (e.fingerprint, e.task_id) <= (:fingerprint::text, :up_to::uuid)
      and (:error_class::text = '' or e.error_class = :error_class::text)
      and f.state::text = any (:states::text[])
      and {can_be_put_back}
    order by e.fingerprint, e.task_id
    limit :max_tasks::integer)
    union all
    (select e.task_id
    from task_error e
    cross join lateral (select * from finished_task p where p.id = e.task_id offset 0) f
    where :fingerprint::text = ''
      and :error_class::text <> ''
      and e.error_class <> ''
      and (e.error_class, e.task_id) > (:error_class::text, :after::uuid)
      and (e.error_class, e.task_id) <= (:error_class::text, :up_to::uuid)
      and f.state::text = any (:states::text[])
      and {can_be_put_back}
    order by e.error_class, e.task_id
    limit :max_tasks::integer)) o
  order by o.id
  limit :max_tasks::integer
)

-- As {redrivable}. The addition keeps the indexes by age out.
{can_be_put_back}:
f.payload is not null
and (:handler::text is null or f.queue_id = any ((select queue_ids from wanted)::integer[]))
and (:collection::text is null or f.collection = :collection::text)
and f.finished_at + 0 >= :ended_from::bigint
and f.finished_at + 0 < :ended_before::bigint
and (:error::text = '' or strpos(f.failures -> -1 ->> 'error', :error::text) > 0)
and {blocks_no_key}

-- An attempt of task t, with the retry policy of the task or else of its handler, which is {policy_of_handler}, and if it has
-- taken longer than its execution timeout by the store's clock and by :believed_micros.
{attempt}:
t.id, t.fence, t.state, t.attempt, coalesce(t.max_attempts, y.max_attempts),
coalesce(t.backoff_initial_micros, y.backoff_initial_micros), coalesce(t.backoff_factor, y.backoff_factor),
coalesce(t.backoff_max_micros, y.backoff_max_micros), t.holder,
coalesce(
  t.attempt_until <= least(:believed_micros::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint), false)

{policy_of_handler}:
left join lateral (
  select h.max_attempts, h.backoff_initial_micros, h.backoff_factor, h.backoff_max_micros
  from (select * from task_queue p where p.id = t.queue_id offset 0) n
  cross join lateral (select * from task_handler s where s.handler = n.handler offset 0) h
  offset 0) y on t.max_attempts is null

-- A task t that is put on the queue of :node, or held back, and was to be acted on at c.next_trigger.
{enqueued_by_node}:
state = case when c.is_enqueued then 'E'::"char" else 'H'::"char" end,
holder = case when c.is_enqueued then :node::text end,
fence = t.fence + 1,
next_trigger =
  case
    when c.is_enqueued
      then greatest(c.next_trigger, (select micros from clock)) + :enqueue_timeout_micros::bigint
    else t.next_trigger
  end

-- Which of the tasks in free, that wait no more for what they have waited for, go onto the queues of a node at once: those that come
-- due within :ahead_micros, up to the limit of each queue and up to :max_bytes of payload over all, both counted in the order of the
-- ids.
{chosen_for_queues}:
measured as (
  select
    place,
    queue_id,
    next_trigger,
    row_number() over (partition by queue_id order by id) as nth_of_queue,
    sum(bytes) over (order by id rows unbounded preceding) as bytes_so_far
  from free
), chosen as materialized (
  select
    m.place,
    m.next_trigger,
    m.bytes_so_far <= :max_bytes::bigint
      and m.next_trigger <= (select micros from clock) + :ahead_micros::bigint
      and exists (
        select 1 from unnest(:queue_ids::integer[], :limits::integer[]) q (queue_id, max_tasks)
        where q.queue_id = m.queue_id and m.nth_of_queue <= q.max_tasks) as is_enqueued
  from measured m
)

-- A task t that is put on the queue of :node, or waits for its turn, as c.is_enqueued says, and was to be acted on at c.next_trigger.
{woken}:
state = case
  when c.is_enqueued then 'E'::"char"
  when t.attempt = 0 then 'N'::"char"
  else 'R'::"char"
end,
holder = case when c.is_enqueued then :node::text end,
fence = t.fence + case when c.is_enqueued then 1 else 0 end,
next_trigger = case
  when c.is_enqueued
    then greatest(c.next_trigger, (select micros from clock)) + :enqueue_timeout_micros::bigint
  else c.next_trigger
end

-- A task t that is returned with its payload if it was enqueued, after which c.next_trigger is the trigger it waited for.
{enqueued}:
t.id, t.fence, t.queue_id, t.due_at, c.next_trigger, t.attempt, t.key_id,
case when c.is_enqueued then t.payload end,
t.max_attempts, t.backoff_initial_micros, t.backoff_factor, t.backoff_max_micros, t.execution_timeout_micros,
(select k.key from task_key k where k.id = t.key_id), t.collection, t.start_deadline, t.traceparent,
nullif(t.fairness_key, ''), t.fairness_weight, t.limits

-- Enqueued tasks t that still carry the fence of c. See claim.sql for the form of the conditions.
{still_enqueued}:
t.id = any (array[c.id])
  and t.fence = c.fence
  and t.state::text = 'E'

-- Attempts of tasks t under way that still carry the fence of s: those of tasks with ordering keys or limits only when :keyed,
-- those of tasks with successors only when :followed. The worker of s, where given, must hold them, and the caller of s must be the one
-- whose worker claimed them, where both are known.
{still_processing}:
t.id = any (array[s.id])
  and t.fence = s.fence
  and t.state::text = 'P'
  and ((t.key_id is null and t.limits is null) or :keyed::boolean)
  and (not t.has_successors or :followed::boolean)
  and (s.worker is null or t.holder = s.worker)
  and (s.caller is null or t.performed_by is null or t.performed_by = s.caller)

-- Handlers with queues or workers: :handler (null for all) or, after :after, those that are like one of :handler_patterns and
-- no pool, and pools that are like one of :pool_patterns.
{known_handlers}:
handlers as materialized (
  select h.handler
  from (select q.handler from task_queue q union select a.handler from handler_asked a) h
  where (:handler::text is null or h.handler = :handler::text)
    and h.handler > :after::text
    and case
      when h.handler like 'pool:%' then substr(h.handler, 6) like any (:pool_patterns::text[])
      else h.handler like any (:handler_patterns::text[])
    end
  order by h.handler
  limit :max_handlers::integer
)

-- How many tasks of each queue are dead or have failed, of each of the two up to :most over all queues.
{given_up}:
given_up as materialized (
  select e.state, f.queue_id, count(*) as tasks
  from (values ('D'::text), ('F'::text)) e (state)
  cross join lateral (
    select o.queue_id from finished_task o
    where o.state <> 'S'
      and (o.state, o.id) > (e.state::"char", '00000000-0000-0000-0000-000000000000'::uuid)
      and (o.state, o.id) <= (e.state::"char", 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by o.state, o.id
    limit :most::integer) f
  group by e.state, f.queue_id
)

-- The trigger of a waiting task that waits for a place or a token of one of its limits and is not woken yet: no step looks for it.
{never}:
9223372036854775807

-- The lock of the limits by key, shared by what counts for them and held alone by what changes them or counts anew.
{limits_lock}:
118066125107061

-- The limit of a name n.name: that of just this name, or else that of the longest pattern.
{limit_of_name}:
select m.pattern, m.max_running, m.rate, m.burst
from key_limit m
where m.pattern = n.name or (right(m.pattern, 1) = '*' and starts_with(n.name, left(m.pattern, -1)))
order by m.pattern = n.name desc, length(m.pattern) desc
limit 1

-- Of a limit l: its first and last possible name, and the beginnings of names for which a limit of a longer pattern holds. No name has
-- the tilde, which is after all that names may have.
{narrower_limits}:
select
  rtrim(l.pattern, '*') as first,
  case when right(l.pattern, 1) = '*' then left(l.pattern, -1) || '~' else l.pattern end as last,
  array(
    select left(m.pattern, -1)
    from key_limit m
    where right(m.pattern, 1) = '*'
      and right(l.pattern, 1) = '*'
      and length(m.pattern) > length(l.pattern)
      and starts_with(m.pattern, left(l.pattern, -1))) as narrower
offset 0

-- The use n of a name is as if it had never been used: nothing runs or waits, and the bucket is full.
{is_idle}:
n.running = 0
  and (select w.name from key_wait w where w.name = n.name order by w.woken_at limit 1) is null
  and (
    n.tokens is null
    or not exists (
      select from ({limit_of_name}) f
      where n.tokens + f.rate * ((select micros from clock) - n.tokens_at) / 1000000 < coalesce(f.burst, ceil(f.rate))
      offset 0))

-- Names under which not as many tasks run as are counted, with how many run. No join of names, whose plan would depend on how many
-- there are.
{miscounted}:
miscounted as materialized (
  select s.name, sum(s.running)::integer as running
  from (
    select m.name, 1 as running, 0 as counted
    from task t
    cross join lateral unnest(string_to_array(t.limits, ',')) m (name)
    where t.state in ('E', 'P') and t.state::text = 'P' and t.limits is not null
    union all
    select u.name, 0, u.running from key_use u where u.running <> 0) s
  group by s.name
  having sum(s.running) <> sum(s.counted)
)
