-- Makes tasks that were put back wait again for predecessors that have not ended as they must. Has those looked at that have
-- ended, and closes the edges of those that were removed: nothing of these is left to wait for. Index: task_edge_successor,
-- then by ctid, task_pkey, finished_task_pkey, task_batch_pkey; writes task_await and task_ended. Locks the open edges, so that nobody
-- closes them uncounted; the tasks are new. Does not wait for peers that follow an end, as keys and quotas are locked already;
-- edge_sweep.sql finds what is lost by that. At most as many rows as ids, and their edges.
with open as materialized (
  select e.place, e.predecessor, e.successor
  from unnest(:ids::uuid[]) n (id)
  cross join lateral (
    select x.ctid as place, x.predecessor, x.successor from task_edge x where x.successor = n.id and x.open for update) e
), judged as materialized (
  select
    o.*,
    exists (select from task t where t.id = o.predecessor offset 0)
      or exists (select from task_batch b where b.id = o.predecessor and b.ended::text is null offset 0) as is_unfinished,
    exists (select from finished_task f where f.id = o.predecessor offset 0)
      or exists (select from task_batch b where b.id = o.predecessor and b.ended::text is not null offset 0) as has_ended
  from open o
), removed as (
  update task_edge e set open = false from judged j where e.ctid = j.place and not j.is_unfinished and not j.has_ended
), counted as materialized (
  select j.successor, count(*)::integer as open from judged j where j.is_unfinished or j.has_ended group by j.successor
), again as (
  update task t set state = 'A' from counted c where t.id = any (array[c.successor]) returning t.id, t.queue_id, c.open
), awaits as (
  insert into task_await (task_id, queue_id, open) select a.id, a.queue_id, a.open from again a
)
insert into task_ended (task_id)
select distinct j.predecessor from judged j where j.has_ended order by 1
on conflict do nothing
