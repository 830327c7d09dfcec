-- The state of a task or a batch of which some successors have not been told: its end, P while it is unfinished, null when it was
-- removed. Then up to which successor they have been told, null for none; and the last of the next :max_edges with an open edge, null when
-- there are fewer. Index: task_ended_pkey, task_pkey, finished_task_pkey, task_batch_pkey; a range of task_edge_pkey. Locks the row of task_ended
-- and skips it when a peer has locked it; one row or none, but passes over closed edges behind those that were told.
select
  case
    when exists (select from task t where t.id = e.task_id) then 'P'
    else coalesce(
      (select f.state::text from finished_task f where f.id = e.task_id),
      (select coalesce(b.ended, 'P')::text from task_batch b where b.id = e.task_id))
  end,
  e.followed_to,
  (select x.successor
    from task_edge x
    where x.predecessor = e.task_id
      and x.successor > coalesce(e.followed_to, '00000000-0000-0000-0000-000000000000')
      and x.open
    order by x.successor
    offset :max_edges::integer - 1
    limit 1)
from task_ended e
where e.task_id = :id::uuid
for update of e skip locked
