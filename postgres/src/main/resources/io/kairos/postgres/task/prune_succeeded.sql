-- Removes tasks that succeeded longer than :retention_micros ago, the longest ago first, and idempotency keys that were
-- theirs while they were unfinished. Passes over tasks of whose successors some have not been told. Index:
-- finished_task_success_age, in its order, then by ctid; task_ended_pkey; task_request_task. Locks the rows that it removes and skips rows locked by peers; at most :max_tasks rows.
with gone as (
  delete from finished_task
  where ctid = any (array(
    select f.ctid from finished_task f
    where f.state = 'S'
      and not exists (select from task_ended e where e.task_id = f.id offset 0)
      and {ended_long_ago}))
  returning id
), {keys_freed}
select count(*) from gone
