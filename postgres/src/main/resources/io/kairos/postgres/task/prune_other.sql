-- Removes tasks that ended in :state, not succeeded, longer than :retention_micros ago, the longest ago first, and
-- idempotency keys that were theirs while they were unfinished. Index: finished_task_other_age, in its order, then by ctid;
-- task_request_task. Locks the rows that it removes and skips rows locked by peers; at most :max_tasks rows.
with gone as (
  delete from finished_task
  where ctid = any (array(
    select f.ctid from finished_task f
    where f.state::text = :state::text
      and f.state <> 'S'
      and {ended_long_ago}))
  returning id
), {keys_freed}
select count(*) from gone
