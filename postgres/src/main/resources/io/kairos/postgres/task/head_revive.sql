-- Puts a task that has failed for good back as the head of its key. Its attempts are counted from zero, and it has no start
-- deadline, which it may have missed. Index: finished_task_pkey, task_error_pkey; writes all of task, and task_batch_end. The key is locked
-- already; one row, or none when the task has been pruned. Counts the task for the handler's admission quota and locks its row
-- then; the quota does not refuse it.
with gone as (
  delete from finished_task where id = :id::uuid and state::text in ('F', 'D') and payload is not null returning *
), unnoted as (
  delete from task_error e using gone g where e.task_id = any (array[g.id])
), uncounted as (
  insert into task_batch_end (batch_id, state, tasks)
  select g.batch_id, g.state, -1 from gone g where g.batch_id is not null
), counted as (
  update task_handler h
  set unfinished = h.unfinished + 1
  from gone g
  cross join lateral (select n.handler from task_queue n where n.id = g.queue_id offset 0) q
  where h.handler = q.handler and h.max_unfinished is not null
)
{put_back}
select
  g.id, (extract(epoch from clock_timestamp()) * 1000000)::bigint, g.due_at, g.created_at, g.fence + 1,
  g.queue_id, 0, 'N', g.max_attempts, g.backoff_initial_micros, g.backoff_factor, g.backoff_max_micros,
  g.execution_timeout_micros, g.traceparent, g.failures, g.payload, g.collection, :key_id::bigint, g.submitted_by,
  g.fairness_key, g.fairness_weight, g.batch_id, g.limits
from gone g
