-- Batches that ended in :state longer than :retention_micros ago, the longest ago first. Passes over those for which tasks wait that
-- have not been told. Index: task_batch_age, in its order; task_ended_pkey. Locks the rows and skips rows locked by peers; at
-- most :max_batches rows.
select b.id
from task_batch b
where b.ended is not null
  and b.ended = :state::text::"char"
  and b.completed_at < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :retention_micros::bigint
  and not exists (select from task_ended e where e.task_id = b.id offset 0)
order by b.completed_at
limit :max_batches::integer
for update skip locked
