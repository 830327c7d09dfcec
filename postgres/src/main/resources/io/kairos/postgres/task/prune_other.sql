-- Forgets tasks that ended in :state, not succeeded, longer than :retention_micros ago, the longest ago first.
-- Index: finished_task_other_age, in its order, then by ctid. Locks what it removes and skips rows locked by peers; at most
-- :max_tasks rows.
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
