-- Has tasks looked at that have ended and do more than satisfy an edge that is about to be stored. Before ordering keys and quotas
-- are locked, because it waits for peers that follow these ends and lock them. Index: task_ended_pkey; writes task_ended. Locks its
-- rows in the order of the ids, sorted by the caller, also when there are any, because a peer may be about to delete one.
insert into task_ended (task_id)
select n.id from unnest(:ids::uuid[]) n (id)
on conflict (task_id) do update set task_id = excluded.task_id
