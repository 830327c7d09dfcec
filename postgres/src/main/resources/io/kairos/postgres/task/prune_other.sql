-- Forgets tasks that ended in :state, not succeeded, longer than :retention_micros ago, the longest ago first, and the
-- idempotency keys that were theirs while they were unfinished.
-- Index: finished_task_other_age, in its order, then by ctid;
-- task_request_task. Locks what it removes and skips rows locked by peers; at most
-- :max_tasks rows.
with gone as (
  delete from finished_task
  where ctid = any (array(
    select f.ctid from finished_task f
    where f.state::text = :state::text
      and f.state <> 'S'
      and f.finished_at
        < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :retention_micros::bigint
    order by f.finished_at
    limit :max_tasks::integer
    for update skip locked))
  returning id
), freed as (
  delete from task_request r using gone g where r.task_id = any (array[g.id]) and r.mode = 'U'
)
select count(*) from gone
