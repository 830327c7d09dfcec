-- Removes a pause that is over, if it holds no task back any more. Index: task_pause_pkey, task_paused. The row is locked
-- already; one or none.
delete from task_pause g
where g.handler = :handler::text
  and g.collection = :collection::text
  and not exists (
    select 1
    from unnest(array(select q.id from task_queue q where q.handler = g.handler)) q (id)
    cross join lateral (
      select 1 from task t
      where t.queue_id = q.id and t.state = 'H' and t.collection = g.collection
      limit 1) t)
