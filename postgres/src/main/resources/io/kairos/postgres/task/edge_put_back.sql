-- Makes tasks that were put back wait again for predecessors that have not ended as they must, unless these were removed. Has
-- those looked at that have ended. Index: task_edge_successor, task_pkey, finished_task_pkey, task_batch_pkey; writes task_await and task_ended.
-- Locks the open edges, so that nobody closes them uncounted; the tasks are new. Does not wait for peers that follow an end, as
-- keys and quotas are locked already; edge_sweep.sql finds what is lost by that. At most as many rows as ids.
with open as materialized (
  select e.predecessor, e.successor
  from unnest(:ids::uuid[]) n (id)
  cross join lateral (
    select x.predecessor, x.successor from task_edge x where x.successor = n.id and x.open for update) e
), known as materialized (
  select
    o.successor,
    o.predecessor,
    exists (select from finished_task f where f.id = o.predecessor offset 0)
      or exists (select from task_batch b where b.id = o.predecessor and b.ended::text is not null offset 0) as has_ended
  from open o
  where exists (select from task t where t.id = o.predecessor offset 0)
    or exists (select from finished_task f where f.id = o.predecessor offset 0)
    or exists (select from task_batch b where b.id = o.predecessor offset 0)
), counted as materialized (
  select k.successor, count(*)::integer as open from known k group by k.successor
), again as (
  update task t set state = 'A' from counted c where t.id = any (array[c.successor]) returning t.id, t.queue_id, c.open
), awaits as (
  insert into task_await (task_id, queue_id, open) select a.id, a.queue_id, a.open from again a
)
insert into task_ended (task_id)
select distinct k.predecessor from known k where k.has_ended order by 1
on conflict do nothing
