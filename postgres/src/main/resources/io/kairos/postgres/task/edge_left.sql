-- Has tasks looked at again that have ended, and of whose successors some have not been told. Index: task_edge_pkey, one probe
-- per task; writes task_ended. Locks its rows, also when there are any, because a peer may be about to delete one; at most as many
-- as ids.
insert into task_ended (task_id)
select p.id
from unnest(:ids::uuid[], :states::text[]) p (id, state)
where exists (
  select from task_edge x
  where x.predecessor = p.id and x.open and (p.state in ('S', 'C') or x.on_failure::text <> 'B'))
order by p.id
on conflict (task_id) do update set task_id = excluded.task_id
