-- Puts failed tasks back to wait for another first attempt, due one after the other in the order given, under their ids, with
-- rising fences and without the start deadlines that they may have missed. Passes over a task that blocks its ordering key: an
-- operator must act on the key. Keys that have been removed are created anew, and all are kept from being removed. See
-- claim.sql for the form of the conditions. Index: finished_task_pkey, one probe per task; task_error_pkey, task_queue_pkey,
-- task_key_handler_key_key; writes all of task, and task_batch_end. Locks the rows that it moves, the keys in the order of handler and key, then
-- the rows of handlers that have an admission quota; as many rows as ids.
with {clock}, back as (
  delete from finished_task f
  using unnest(:ids::uuid[], :places::bigint[]) r (id, place)
  where f.id = any (array[r.id])
    and f.state::text in ('F', 'D')
    and f.payload is not null
    and {blocks_no_key}
  returning
    f.*,
    coalesce(:start::bigint, (select micros from clock)) + r.place * :apart_micros::bigint as due,
    (select q.handler from task_queue q where q.id = f.queue_id) as handler
), unnoted as (
  delete from task_error e using back b where e.task_id = any (array[b.id])
), uncounted as (
  insert into task_batch_end (batch_id, state, tasks)
  select b.batch_id, b.state, -1 from back b where b.batch_id is not null
), keyed as (
  insert into task_key (handler, key)
  select distinct b.handler collate "C", b.key collate "C" from back b where b.key is not null
  order by 1, 2
  on conflict (handler, key) do update set key = excluded.key
  returning id, handler, key
), counted as (
  -- only while a handler has an admission quota, which does not refuse the task
  update task_handler h
  set unfinished = h.unfinished + e.added
  from (select b.handler, count(*) as added from back b group by b.handler order by b.handler) e
  where h.handler = e.handler and h.max_unfinished is not null
)
{put_back}
select
  b.id, b.due, b.due, b.created_at, b.fence + 1, b.queue_id, 0, 'N', b.max_attempts,
  b.backoff_initial_micros, b.backoff_factor, b.backoff_max_micros, b.execution_timeout_micros, b.traceparent, b.failures,
  b.payload, b.collection, k.id, b.submitted_by, b.fairness_key, b.fairness_weight, b.batch_id, b.limits
from back b
left join keyed k on k.handler = b.handler and k.key = b.key
returning id
