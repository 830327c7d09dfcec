-- Makes tasks wait again that were held back with their collection. Index: task_paused, a range for each queue of the
-- handler, then by ctid. Locks the rows that it changes and skips rows locked by peers; at most :max_tasks rows.
update task t
set state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end
where t.ctid = any (array(
  select p.place
  from unnest(array(select q.id from task_queue q where q.handler = :handler::text)) q (id)
  cross join lateral (
    select h.ctid as place from task h
    where h.queue_id = q.id and h.state = 'H' and h.collection = :collection::text
    limit :max_tasks::integer
    for update skip locked) p
  limit :max_tasks::integer))
