-- Visits edges in their order. Removes those whose successor was removed from the history. Has predecessors looked at that have
-- ended or were removed while a successor awaits them, but not those that block it as they should: they would come first, for ever.
-- Index: task_edge_pkey, in its order; task_pkey, finished_task_pkey, task_batch_pkey, up to six probes per edge; writes task_ended. Locks the
-- removed rows; one row, for at most :max_edges edges.
with page as materialized (
  select e.predecessor, e.successor, e.on_failure, e.open
  from task_edge e
  where (e.predecessor, e.successor) > (:predecessor::uuid, :successor::uuid)
  order by e.predecessor, e.successor
  limit :max_edges::integer
), orphan as materialized (
  select p.predecessor, p.successor
  from page p
  where not exists (select from task t where t.id = p.successor offset 0)
    and not exists (select from finished_task f where f.id = p.successor offset 0)
), removed as (
  delete from task_edge e
  using orphan o
  where e.predecessor = any (array[o.predecessor]) and e.successor = any (array[o.successor])
), unblocked as materialized (
  select p.predecessor, p.successor, p.on_failure
  from page p
  where p.open
    and not exists (
      select from task_batch b
      where b.id = p.predecessor and (b.ended is null or (b.ended = 'F' and p.on_failure = 'B')) offset 0)
), stuck as (
  insert into task_ended (task_id)
  select distinct p.predecessor
  from unblocked p
  where exists (select from task t where t.id = p.successor and t.state::text = 'A' offset 0)
    and not exists (select from task t where t.id = p.predecessor offset 0)
    and not (
      p.on_failure = 'B'
      and exists (select from finished_task f where f.id = p.predecessor and f.state::text in ('F', 'D') offset 0))
  order by 1
  on conflict do nothing
)
select
  l.predecessor,
  l.successor,
  (select count(*) from orphan)::integer
from page l
order by l.predecessor desc, l.successor desc
limit 1
