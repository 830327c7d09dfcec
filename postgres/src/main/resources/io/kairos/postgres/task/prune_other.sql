-- Removes tasks that ended in :state, not succeeded, longer than :retention_micros ago, the longest ago first, and idempotency
-- keys that were theirs while they were unfinished. What is noted of their errors goes by the same age, so that it goes too
-- when a node of an earlier version has removed the task. Passes over tasks of whose successors some have not been told.
-- Index: finished_task_other_age and task_error_age, in their order, then by ctid; task_ended_pkey; task_request_task. Locks the rows that it removes and skips rows locked by peers; at most :max_tasks rows.
with gone as (
  delete from finished_task
  where ctid = any (array(
    select f.ctid from finished_task f
    where f.state::text = :state::text
      and f.state <> 'S'
      and not exists (select from task_ended e where e.task_id = f.id offset 0)
      and {ended_long_ago}))
  returning id
), unnoted as (
  delete from task_error
  where ctid = any (array(
    select e.ctid from task_error e
    where e.state = :state::text::"char"
      and e.ended_at < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :retention_micros::bigint
    order by e.ended_at
    limit :max_tasks::integer
    for update skip locked))
), {keys_freed}
select count(*) from gone
