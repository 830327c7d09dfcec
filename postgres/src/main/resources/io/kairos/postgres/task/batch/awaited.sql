-- Locks batches for which tasks are about to wait, so that they end only after that, and returns how they have ended. Index:
-- task_batch_pkey. Locks the rows in the order of the ids, against ends alone; at most as many rows as ids.
select b.id, b.ended::text
from task_batch b
where b.id = any (:ids::uuid[])
order by b.id
for key share
