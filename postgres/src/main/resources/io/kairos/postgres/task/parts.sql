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
  from (select queue_id, count(*) as ended from settled group by queue_id) e
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

-- A task t that ends in the state s.state. The note of its last attempt is kept with the failures, that of a success as
-- its result. The payload is kept of tasks that can be put back.
{ended}:
t.id, t.due_at, t.created_at, t.queue_id, t.attempt, s.state::"char" as state, t.max_attempts, t.backoff_initial_micros,
t.backoff_factor, t.backoff_max_micros, t.execution_timeout_micros, t.traceparent, t.collection, t.key_id,
t.start_deadline, t.fence,
case
  when s.note is null then t.failures
  else
    case when jsonb_array_length(t.failures) >= 10 then t.failures - 0 else coalesce(t.failures, '[]') end
    || jsonb_build_array(
      jsonb_strip_nulls(jsonb_build_object(
        'attempt', t.attempt,
        'begun', {began},
        'at', (select micros from clock),
        'state', s.state,
        'class', nullif(s.error_class, ''),
        case when s.state = 'S' then 'result' else 'error' end, s.note)))
end as failures,
case when s.state in ('F', 'D') then t.payload end as payload,
{began} as attempt_began, t.submitted_by, t.performed_by

-- When the attempt under way of task t began; null while there is none.
{began}:
case when t.state = 'P' then t.attempt_began end

-- Writes the tasks that were settled, each as {ended}, to the history.
{history}:
insert into finished_task (
  id, finished_at, due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros, backoff_factor,
  backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection, key, start_deadline, fence,
  attempt_began, submitted_by, performed_by)
select
  id, (select micros from clock), due_at, created_at, queue_id, attempt, state, max_attempts, backoff_initial_micros,
  backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection,
  case when key_id is not null then (select k.key from task_key k where k.id = key_id) end, start_deadline, fence,
  attempt_began, submitted_by, performed_by
from settled

-- The columns of a finished task that waits again, in the order in which it is moved back.
{put_back}:
insert into task (
  id, next_trigger, due_at, created_at, fence, queue_id, attempt, state, max_attempts, backoff_initial_micros,
  backoff_factor, backoff_max_micros, execution_timeout_micros, traceparent, failures, payload, collection, key_id, submitted_by)

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

-- A task as TaskViews reads it.
{view}:
v.id, q.handler, q.priority, v.state, v.due_at, v.created_at, v.attempt, v.next_trigger, v.finished_at, v.holder,
v.cancel_requested,
array(select (e.failure ->> 'attempt')::bigint
  from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
array(select (e.failure ->> 'at')::bigint
  from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
array(select e.failure ->> 'error'
  from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
v.failures -> -1 ->> 'result',
v.attempt_began,
array(select (e.failure ->> 'begun')::bigint
  from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
array(select e.failure ->> 'state'
  from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
array(select e.failure ->> 'class'
  from jsonb_array_elements(v.failures) with ordinality e (failure, nth) order by e.nth),
v.submitted_by, v.performed_by,
v.payload, coalesce(v.max_attempts, h.max_attempts),
coalesce(v.backoff_initial_micros, h.backoff_initial_micros), coalesce(v.backoff_factor, h.backoff_factor),
coalesce(v.backoff_max_micros, h.backoff_max_micros), v.execution_timeout_micros,
case when v.key_id is null then v.key else (select k.key from task_key k where k.id = v.key_id) end,
v.collection, v.start_deadline, v.traceparent

-- The queue and the handler of the task that is viewed.
{view_joins}:
cross join lateral (select * from task_queue n where n.id = v.queue_id offset 0) q
left join lateral (select * from task_handler s where s.handler = q.handler offset 0) h on v.max_attempts is null

-- The columns of a live task from which a view is made.
{live}:
t.id, t.queue_id, t.state, t.due_at, t.created_at, t.attempt, t.max_attempts, t.backoff_initial_micros, t.backoff_factor,
t.backoff_max_micros, t.next_trigger, null::bigint as finished_at, t.holder, t.cancel_requested, t.failures, t.key_id,
null::text as key, t.collection, t.start_deadline, t.execution_timeout_micros, t.traceparent,
{began} as attempt_began, t.submitted_by, t.performed_by

-- The columns of a finished task from which a view is made.
{finished}:
f.id, f.queue_id, f.state, f.due_at, f.created_at, f.attempt, f.max_attempts, f.backoff_initial_micros, f.backoff_factor,
f.backoff_max_micros, null::bigint as next_trigger, f.finished_at, null::text as holder, false as cancel_requested, f.failures,
null::bigint as key_id, f.key, f.collection, f.start_deadline, f.execution_timeout_micros, f.traceparent,
f.attempt_began, f.submitted_by, f.performed_by

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

-- A task t that is returned with its payload if it was enqueued, after which c.next_trigger is the trigger it waited for.
{enqueued}:
t.id, t.fence, t.queue_id, t.due_at, c.next_trigger, t.attempt, t.key_id,
case when c.is_enqueued then t.payload end,
t.max_attempts, t.backoff_initial_micros, t.backoff_factor, t.backoff_max_micros, t.execution_timeout_micros,
(select k.key from task_key k where k.id = t.key_id), t.collection, t.start_deadline, t.traceparent

-- Enqueued tasks t that still carry the fence of c. See claim.sql for the form of the conditions.
{still_enqueued}:
t.id = any (array[c.id])
  and t.fence = c.fence
  and t.state::text = 'E'

-- Attempts of tasks t under way that still carry the fence of s; those of tasks with ordering keys only when :keyed,
-- and only if the worker of s, where given, holds them, and the caller of s, where both are known, is whose worker claimed
-- them.
{still_processing}:
t.id = any (array[s.id])
  and t.fence = s.fence
  and t.state::text = 'P'
  and (t.key_id is null or :keyed::boolean)
  and (s.worker is null or t.holder = s.worker)
  and (s.caller is null or t.performed_by is null or t.performed_by = s.caller)

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
