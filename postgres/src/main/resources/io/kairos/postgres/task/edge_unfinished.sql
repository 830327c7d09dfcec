-- What is unfinished of a task and of those that wait for it, directly or through others, and was not asked to be cancelled, the
-- latest first; and how many tasks were walked over, ended ones as well: one more than :max_walked when there are more. One row
-- without a task when there is none. Index: task_edge_pkey, one range per task; task_pkey, one probe each. No locks; walks over at
-- most :max_walked + 1 tasks and the edges behind them, and returns at most :max_tasks rows.
with recursive behind (id) as (
  select :id::uuid
  union
  select o.id
  from behind b
  cross join lateral (select e.successor as id from task_edge e where e.predecessor = b.id and not {is_turn} offset 0) o
), walked as materialized (
  select b.id from behind b limit :max_walked::integer + 1
)
select (select count(*) from walked), u.id
from (select) one
left join (
  select t.id
  from walked w
  cross join lateral (select n.id from task n where n.id = w.id and not n.cancel_requested offset 0) t
  order by t.id desc
  limit :max_tasks::integer) u on true
order by u.id desc
