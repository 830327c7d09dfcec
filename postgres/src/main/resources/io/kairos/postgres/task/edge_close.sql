-- Closes open edges that the ends of their predecessors satisfy, to the successors between :after and :up_to, up to :max_edges of
-- all, and returns how many for each successor. Index: task_edge_pkey, then by ctid. Locks the rows and skips rows locked by
-- peers, which edge_left.sql and edge_done.sql see as open; at most :max_edges rows.
with due as materialized (
  select e.place
  from unnest(:ids::uuid[], :states::text[]) p (id, state)
  cross join lateral (
    select x.ctid as place
    from task_edge x
    where x.predecessor = p.id
      and x.successor > :after::uuid
      and x.successor <= :up_to::uuid
      and x.open
      and (p.state = 'S' or x.on_failure::text = 'C')
    order by x.successor
    limit :max_edges::integer
    for update skip locked) e
  limit :max_edges::integer
), closed as (
  update task_edge e set open = false from due d where e.ctid = d.place returning e.successor
)
select c.successor, count(*) from closed c group by c.successor order by c.successor
