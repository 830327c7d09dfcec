-- Closes a batch, unless it is closed already. Index: task_batch_pkey. Locks the row, not against tasks that are about to wait for it,
-- and waits for those who add tasks; one row or none.
with {clock}
update task_batch b
set closed_at = coalesce(b.closed_at, (select micros from clock))
where b.id = :id::uuid
