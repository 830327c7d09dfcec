-- Ends a batch, and has it looked at when tasks wait for it. Index: task_batch_pkey, task_edge_pkey, task_ended_pkey. The batch is
-- locked already; one row or none. Does not wait for a peer that follows an earlier end of the batch: it may wait for keys and
-- quotas, whose holders may wait for the batch. edge_sweep.sql finds what is lost by that.
with {clock}, done as (
  update task_batch b
  set ended = :state::text::"char", completed_at = (select micros from clock)
  where b.id = :id::uuid
  returning b.id
)
insert into task_ended (task_id)
select d.id
from done d
cross join lateral (select 1 from task_edge e where e.predecessor = d.id and e.open limit 1) o
on conflict do nothing
