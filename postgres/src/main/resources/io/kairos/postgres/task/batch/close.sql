-- Closes a batch, unless it is closed already. Index: task_batch_pkey. Locks the row, also against tasks that are about to wait for it,
-- and waits for those who add tasks; one row or none.
with {clock}, locked as materialized (
  select b.id from task_batch b where b.id = :id::uuid for update
)
update task_batch b
set closed_at = coalesce(b.closed_at, (select micros from clock))
from locked l
where b.id = any (array[l.id])
