-- Has new tasks join batches, and counts them. Index: task_batch_pkey; writes task_batch_member. The batches are locked already;
-- as many rows as tasks.
with counted as (
  update task_batch b
  set total = b.total + n.added
  from (select m.batch_id, count(*)::integer as added from unnest(:batches::uuid[]) m (batch_id) group by m.batch_id) n
  where b.id = any (array[n.batch_id])
)
insert into task_batch_member (batch_id, task_id)
select m.batch_id, m.task_id
from unnest(:batches::uuid[], :tasks::uuid[]) m (batch_id, task_id)
