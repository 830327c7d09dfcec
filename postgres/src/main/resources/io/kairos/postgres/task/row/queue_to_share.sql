-- Marks queues of which kairos_schedule has noted that they have tasks with fairness keys. A queue whose row is locked, perhaps by an
-- application, is left for the next time. Index: task_queue_to_share_pkey, in its order; task_queue_pkey. Locks the notes and the
-- queues, and skips those locked by peers; at most :max_notes notes.
with due as materialized (
  select n.number, n.queue_id
  from task_queue_to_share n
  order by n.number
  limit :max_notes::integer
  for update skip locked
), free as materialized (
  select q.id, q.is_fair
  from (select distinct d.queue_id from due d) p
  cross join lateral (
    select w.id, w.is_fair from task_queue w where w.id = p.queue_id for no key update skip locked) q
), marked as (
  update task_queue q set is_fair = true from free f where not f.is_fair and q.id = any (array[f.id])
)
delete from task_queue_to_share n
using due d
where n.number = any (array[d.number])
  and (
    exists (select from free f where f.id = d.queue_id)
    or not exists (select from task_queue w where w.id = d.queue_id))
