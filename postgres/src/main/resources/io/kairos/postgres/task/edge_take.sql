-- The state of a task or a batch of which some successors have not been told: its end, P while it is unfinished, null when it was
-- removed. Index: task_ended_pkey, task_pkey, finished_task_pkey, task_batch_pkey. Locks the row of task_ended and skips it when a peer has locked it; one
-- row or none.
select case
  when exists (select from task t where t.id = e.task_id) then 'P'
  else coalesce(
    (select f.state::text from finished_task f where f.id = e.task_id),
    (select coalesce(b.ended, 'P')::text from task_batch b where b.id = e.task_id))
end
from task_ended e
where e.task_id = :id::uuid
for update of e skip locked
