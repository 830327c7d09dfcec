-- Puts waiting tasks whose trigger comes within :ahead_micros on the queues of :node, the earliest of each queue first, up
-- to the queue's limit and up to :max_bytes of payload over all, but at least one task of each queue. Passes over tasks
-- past their start deadline and over queues of paused handlers. Holds tasks of paused collections back, and returns them
-- without payload. The trigger that is returned is the one they waited for. Index: task_waiting, one ordered range per
-- queue, then by ctid. Locks pauses against being removed, then up to the limit of each queue, and skips rows locked by
-- peers; returns at most the limits.
with {clock}, {closed}, candidate as materialized (
  select
    c.*,
    exists (
      select 1 from closed s where s.queue_id = c.queue_id and s.collection = c.collection offset 0) as is_paused
  from unnest(:queue_ids::integer[], :limits::integer[]) q (queue_id, max_tasks)
  cross join lateral (
    select t.ctid as place, t.id, t.queue_id, t.next_trigger, t.collection, octet_length(t.payload) as bytes
    from task t
    where t.queue_id = q.queue_id
      and t.state in ('N', 'R')
      and t.next_trigger <= (select micros from clock) + :ahead_micros::bigint
      and (t.start_deadline is null or t.start_deadline >= (select micros from clock))
    order by t.next_trigger
    limit q.max_tasks
    for update skip locked) c
  where not exists (select 1 from closed s where s.queue_id = q.queue_id and s.collection = '' offset 0)
), measured as (
  select
    place,
    next_trigger,
    is_paused,
    row_number() over (partition by queue_id, is_paused order by next_trigger, id) as nth_of_queue,
    sum(case when is_paused then 0 else bytes end)
      over (order by next_trigger, queue_id, id rows unbounded preceding) as bytes_so_far
  from candidate
), chosen as materialized (
  select place, next_trigger, not is_paused as is_enqueued
  from measured
  where is_paused or nth_of_queue = 1 or bytes_so_far <= :max_bytes::bigint
)
update task t
set
  {enqueued_by_node}
from chosen c
where t.ctid = c.place
returning {enqueued}
