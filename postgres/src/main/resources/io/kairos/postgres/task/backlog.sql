-- What handlers with queues have not done: the tasks that are due and that no worker has, of those that wait up to :most in
-- each queue; since when the first of them is due; the tasks that run; those that have ended dead or failed, up to :most
-- over all handlers; a pause of the whole handler; and when its tasks were last asked for. The handlers with the oldest due
-- task come first. Index: task_waiting, one probe per queue; task_held, of which all is read, because nodes and workers
-- bound it; finished_task_other, task_pause_pkey, handler_asked_pkey. No locks; at most :max_handlers rows.
with {clock}, held as materialized (
  select
    h.queue_id,
    count(*) filter (where h.state::text = 'P') as running,
    count(*) filter (where h.state::text = 'E' and h.due_at <= (select micros from clock)) as due,
    -- of a retry in memory it is not known since when it is due
    min(h.due_at) filter (
      where h.state::text = 'E' and h.attempt = 0 and h.due_at <= (select micros from clock)) as oldest
  from (select t.queue_id, t.state, t.attempt, t.due_at from task t where t.state in ('E', 'P') offset 0) h
  group by h.queue_id
), {given_up}, queues as materialized (
  select q.handler, q.id, w.next_trigger as waiting, h.oldest, coalesce(h.running, 0) as running, coalesce(h.due, 0) as due
  from task_queue q
  left join lateral (
    select t.next_trigger
    from task t
    where t.queue_id = q.id and t.state in ('N', 'R') and t.next_trigger <= (select micros from clock)
    order by t.next_trigger
    limit 1) w on true
  left join held h on h.queue_id = q.id
), handlers as materialized (
  select q.handler, min(least(q.waiting, q.oldest)) as oldest, sum(q.running) as running
  from queues q
  group by q.handler
  order by min(least(q.waiting, q.oldest)) nulls last, q.handler
  limit :max_handlers::integer
), due as materialized (
  select
    q.handler,
    sum(q.due + (
      select count(*) from (
        select 1
        from task t
        where t.queue_id = q.id and t.state in ('N', 'R') and t.next_trigger <= (select micros from clock)
        limit :most::integer) w)) as tasks
  from queues q
  where q.handler in (select h.handler from handlers h) and (q.due > 0 or q.waiting is not null)
  group by q.handler
), bad_ends as materialized (
  select
    q.handler,
    coalesce(sum(g.tasks) filter (where g.state = 'D'), 0) as dead,
    coalesce(sum(g.tasks) filter (where g.state = 'F'), 0) as failed
  from given_up g
  join queues q on q.id = g.queue_id
  group by q.handler
)
select
  h.handler,
  coalesce(d.tasks, 0),
  coalesce((select micros from clock) - h.oldest, 0),
  h.running,
  coalesce(b.dead, 0),
  coalesce(b.failed, 0),
  exists (
    select from task_pause g
    where g.handler = h.handler and g.collection = '' and (g.until is null or g.until > (select micros from clock))),
  (select a.asked_at from handler_asked a where a.handler = h.handler)
from handlers h
left join due d on d.handler = h.handler
left join bad_ends b on b.handler = h.handler
order by h.oldest nulls last, h.handler
