-- What tasks have waited for, with the values that fit, the smallest first: up to :limits predecessors of each task, one more of
-- which is looked for to know if there are more, and values of up to :max_bytes that fit into :rooms beside :entry_bytes for each
-- predecessor. Runs of a schedule that followed each other are left out. One that was removed has neither state nor handler; a batch
-- has its own, and no state while it goes on again. Index: task_edge_successor, then finished_task_pkey or task_pkey or
-- task_batch_pkey, and task_queue_pkey, one probe each per predecessor. No locks; at most as many rows as the sum of :limits.
with edge as materialized (
  select a.id as successor, a.max_tasks, a.room, e.predecessor
  from unnest(:ids::uuid[], :limits::integer[], :rooms::integer[]) a (id, max_tasks, room)
  cross join lateral (
    select e.predecessor from task_edge e where e.successor = a.id and not {is_turn} limit a.max_tasks + 1) e
), numbered as (
  select
    e.*,
    row_number() over (partition by e.successor order by e.predecessor) as nth,
    count(*) over (partition by e.successor) as found
  from edge e
), known as (
  select
    n.successor,
    n.predecessor,
    n.found > n.max_tasks as has_more,
    least(n.room - :entry_bytes::bigint * least(n.found, n.max_tasks), :max_bytes::bigint) as room,
    coalesce(f.state, t.state, b.ended)::text as state,
    b.handler as batch_handler,
    coalesce(f.queue_id, t.queue_id) as queue_id,
    f.result,
    f.result_type,
    octet_length(f.result) as bytes
  from numbered n
  left join lateral (
    select p.state, p.queue_id, p.result, p.result_type from finished_task p where p.id = n.predecessor offset 0) f on true
  left join lateral (
    select p.state, p.queue_id from task p where p.id = n.predecessor and f.state is null offset 0) t on true
  left join lateral (
    select p.ended, p.handler from task_batch p
    where p.id = n.predecessor and f.state is null and t.state is null offset 0) b on true
  where n.nth <= n.max_tasks
), measured as (
  select
    k.*,
    sum(coalesce(k.bytes, 0)) over (partition by k.successor order by coalesce(k.bytes, 0), k.predecessor) <= k.room as is_given
  from known k
)
select
  m.successor, m.predecessor, m.has_more, coalesce(q.handler, m.batch_handler), m.state, coalesce(m.bytes, 0),
  case when m.is_given then m.result end, m.result_type, m.batch_handler is not null
from measured m
left join lateral (select n.handler from task_queue n where n.id = m.queue_id offset 0) q on true
order by m.successor, m.predecessor
