-- Takes the notes that kairos_schedule has left of tasks for which others wait now: marks those that are unfinished, and has those
-- looked at that have ended. A task that ends meanwhile is seen as unfinished, is passed over by its lock, and is looked at.
-- Index: task_to_follow_pkey, in its order; task_pkey, two probes per note; writes task_ended. Locks the notes and skips notes locked
-- by peers, then the tasks in the order of their ids; one row, for at most :max_notes notes.
with due as materialized (
  select n.number, n.task_id
  from task_to_follow n
  order by n.number
  limit :max_notes::integer
  for update skip locked
), taken as (
  delete from task_to_follow n using due d where n.number = any (array[d.number])
), found as materialized (
  select t.id, t.has_successors
  from (select distinct d.task_id from due d order by d.task_id) p
  cross join lateral (
    select w.id, w.has_successors from task w where w.id = p.task_id for no key update) t
), marked as (
  update task t set has_successors = true from found f where not f.has_successors and t.id = any (array[f.id])
), ended as (
  insert into task_ended (task_id)
  select distinct d.task_id
  from due d
  where not exists (select from found f where f.id = d.task_id)
  order by 1
  on conflict (task_id) do update set task_id = excluded.task_id
)
select count(*)::integer from due
