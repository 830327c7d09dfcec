-- The tasks of the graph of a task, found by following edges both ways but not from run to run of
-- a schedule, with their states: null for one that was removed. Index:
-- task_edge_pkey, task_edge_successor; task_pkey, finished_task_pkey, one probe each per task. No locks; at most :max_tasks rows,
-- but passes over all edges of these tasks.
with recursive member (id) as (
  select :id::uuid
  union
  select o.id
  from member m
  cross join lateral (
    select e.successor as id from task_edge e where e.predecessor = m.id and not {is_turn}
    union all
    select e.predecessor from task_edge e where e.successor = m.id and not {is_turn}) o
), found as materialized (
  select m.id from member m limit :max_tasks::integer
)
select
  s.id,
  coalesce(
    (select t.state::text from task t where t.id = s.id),
    (select f.state::text from finished_task f where f.id = s.id))
from found s
