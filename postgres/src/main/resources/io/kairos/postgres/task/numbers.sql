-- Counts the tasks of each handler by state, and returns when its tasks were last asked for, how long the oldest of those is
-- due that no worker has, up to which number was counted, and whether more have failed than were counted: of the handlers
-- that names.sql lists, or of one. Waiting and paused tasks are counted in each queue up to :most_queued or, of many queues, up
-- to a part of :most_of_all; blocked ones in each handler; ends over all handlers together, up to :most. Index: task_waiting,
-- with one probe per queue for the oldest; task_held, task_paused, task_key_handler_key_key, task_blocked, finished_task_other,
-- task_queue_handler_priority_key. No locks; at most :max_handlers rows.
with {clock}, {known_handlers}, held as materialized (
  select
    t.queue_id,
    t.state,
    count(*) as tasks,
    -- of a retry in memory it is not known since when it is due
    min(t.due_at) filter (where t.attempt = 0) as oldest
  from task t
  where t.state in ('E', 'P')
  group by t.queue_id, t.state
), {given_up}, bound as materialized (
  select greatest(
    least(:most_queued::integer, :most_of_all::integer / greatest(count(*), 1)::integer),
    least(:most_queued::integer, 500)) as most
  from handlers h
  join task_queue q on q.handler = h.handler
), queues as materialized (
  select
    h.handler,
    q.id,
    (select count(*) from (
      select 1 from task t where t.queue_id = q.id and t.state in ('N', 'R') limit (select most from bound)) w) as waiting,
    (select count(*) from (
      select 1 from task t where t.queue_id = q.id and t.state = 'H' limit (select most from bound)) w) as paused,
    (select t.next_trigger from task t
      where t.queue_id = q.id and t.state in ('N', 'R') and t.next_trigger <= (select micros from clock)
      order by t.next_trigger
      limit 1) as oldest
  from handlers h
  cross join lateral (select * from task_queue n where n.handler = h.handler offset 0) q
)
select
  h.handler,
  coalesce((select sum(q.waiting) from queues q where q.handler = h.handler), 0),
  coalesce((select sum(s.tasks) from held s join queues q on q.id = s.queue_id where q.handler = h.handler and s.state = 'E'), 0),
  coalesce((select sum(s.tasks) from held s join queues q on q.id = s.queue_id where q.handler = h.handler and s.state = 'P'), 0),
  (select count(*) from (
    select 1
    from task_key k
    cross join lateral (select 1 from task t where t.key_id = k.id and t.state = 'B' limit (select most from bound)) t
    where k.handler = h.handler
    limit (select most from bound)) b),
  coalesce((select sum(q.paused) from queues q where q.handler = h.handler), 0),
  coalesce((select sum(s.tasks) from given_up s join queues q on q.id = s.queue_id where q.handler = h.handler and s.state = 'D'), 0),
  coalesce((select sum(s.tasks) from given_up s join queues q on q.id = s.queue_id where q.handler = h.handler and s.state = 'F'), 0),
  (select a.asked_at from handler_asked a where a.handler = h.handler),
  (select nullif(greatest((select micros from clock) - least(min(q.oldest), min(s.oldest)), 0), 0)
    from queues q
    left join held s on s.queue_id = q.id and s.state = 'E'
    where q.handler = h.handler),
  (select most from bound),
  exists (select from given_up g group by g.state having sum(g.tasks) >= :most::integer)
from handlers h
order by h.handler
