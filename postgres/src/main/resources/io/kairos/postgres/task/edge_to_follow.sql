-- Takes the notes that kairos_schedule has left of tasks for which others wait now: marks those that are unfinished, and has those
-- looked at that have ended. A task whose row is locked, perhaps because it ends or is put back, is left for the next time: no wait
-- for one task holds up the ends of others.
-- Index: task_to_follow_pkey, in its order; task_pkey, three probes per note, and finished_task_pkey, two; writes task_ended. Locks
-- the notes, the tasks and, against being put back, the ends, and skips those locked by peers; one row, for at most :max_notes notes.
with due as materialized (
  select n.number, n.task_id
  from task_to_follow n
  order by n.number
  limit :max_notes::integer
  for update skip locked
), found as materialized (
  select t.id, t.has_successors
  from (select distinct d.task_id from due d) p
  cross join lateral (
    select w.id, w.has_successors from task w where w.id = p.task_id for no key update skip locked) t
), marked as (
  update task t set has_successors = true from found f where not f.has_successors and t.id = any (array[f.id])
), past as materialized (
  select f.id
  from (select distinct d.task_id from due d) p
  cross join lateral (select w.id from finished_task w where w.id = p.task_id for key share skip locked) f
), gone as materialized (
  select p.task_id
  from (select distinct d.task_id from due d) p
  where not exists (select from task w where w.id = p.task_id offset 0)
    and (exists (select from past f where f.id = p.task_id)
      or not exists (select from finished_task w where w.id = p.task_id offset 0))
), ended as (
  insert into task_ended (task_id)
  select g.task_id from gone g order by g.task_id
  on conflict (task_id) do update set task_id = excluded.task_id
), taken as (
  delete from task_to_follow n
  using due d
  where n.number = any (array[d.number])
    and (exists (select from found f where f.id = d.task_id) or exists (select from gone g where g.task_id = d.task_id))
  returning n.number
)
select count(*)::integer from taken
