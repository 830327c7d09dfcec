-- Puts waiting tasks whose trigger comes within :ahead_micros on the queues of :node, the earliest of each first, up to
-- the queue's limit and up to :max_bytes of payload over all, but at least one of each queue; passes over what is too late
-- to begin. The trigger that is returned is the one they waited for. Index: task_waiting, one ordered range per queue, then
-- by ctid. Locks up to the limit of each queue and skips rows locked by peers; returns at most the limits.
with clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
), candidate as materialized (
  select c.*
  from unnest(:queue_ids::integer[], :limits::integer[]) q (queue_id, max_tasks)
  cross join lateral (
    select t.ctid as place, t.id, t.queue_id, t.next_trigger, octet_length(t.payload) as bytes
    from task t
    where t.queue_id = q.queue_id
      and t.state in ('N', 'R')
      and t.next_trigger <= (select micros from clock) + :ahead_micros::bigint
      and (t.start_deadline is null or t.start_deadline >= (select micros from clock))
    order by t.next_trigger
    limit q.max_tasks
    for update skip locked) c
), measured as (
  select
    place,
    next_trigger,
    row_number() over (partition by queue_id order by next_trigger, id) as nth_of_queue,
    sum(bytes) over (order by next_trigger, queue_id, id rows unbounded preceding) as bytes_so_far
  from candidate
), chosen as materialized (
  select place, next_trigger
  from measured
  where nth_of_queue = 1 or bytes_so_far <= :max_bytes::bigint
)
update task t
set
  state = 'E',
  holder = :node::text,
  fence = t.fence + 1,
  next_trigger = greatest(c.next_trigger, (select micros from clock)) + :enqueue_timeout_micros::bigint
from chosen c
where t.ctid = c.place
returning
  t.id, t.fence, t.queue_id, t.due_at, c.next_trigger, t.attempt, t.execution_timeout_micros, t.traceparent, t.payload,
  t.key_id, (select k.key from task_key k where k.id = t.key_id), t.collection
