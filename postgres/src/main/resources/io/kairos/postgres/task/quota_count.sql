-- Corrects the count of the unfinished tasks of a handler with an admission quota by its difference from the tasks that
-- there are, both as one snapshot shows them: changes that others count meanwhile stay counted. Index: task_handler_pkey,
-- task_queue_handler_priority_key, task_waiting, task_held, task_blocked, task_paused, task_await_queue,
-- task_key_handler_key_key. Locks the
-- row only when it has counted; one row or none, but reads an entry per task of the handler and all that is held.
with counted as materialized (
  select
    s.unfinished as believed,
    (select count(*)
      from task_queue q
      cross join lateral (select from task t where t.queue_id = q.id and t.state in ('N', 'R') offset 0) w
      where q.handler = :handler::text)
    + (select count(*)
      from (select t.queue_id from task t where t.state in ('E', 'P') offset 0) e
      where e.queue_id = any (array(select q.id from task_queue q where q.handler = :handler::text)))
    + (select count(*)
      from task_key k
      cross join lateral (select from task t where t.key_id = k.id and t.state = 'B' offset 0) b
      where k.handler = :handler::text)
    + (select count(*)
      from task_queue q
      cross join lateral (select from task t where t.queue_id = q.id and t.state = 'H' offset 0) p
      where q.handler = :handler::text)
    + (select count(*)
      from task_queue q
      cross join lateral (select from task_await a where a.queue_id = q.id offset 0) p
      where q.handler = :handler::text) as unfinished
  from task_handler s
  where s.handler = :handler::text and s.max_unfinished is not null
)
update task_handler h
set unfinished = h.unfinished + c.unfinished - c.believed
from counted c
where h.handler = :handler::text and c.unfinished <> c.believed
