-- Counts tasks that wait for a time from :from_micros to before :to_micros, by cell, up to :most together. Index: task_waiting,
-- an ordered range per queue. No locks; a row per cell.
select {cell} as cell, count(*)
from (
  select t.next_trigger as at
  from task_queue q
  cross join lateral (
    select g.next_trigger
    from task g
    where g.queue_id = q.id
      and g.state in ('N', 'R')
      and g.next_trigger >= :from_micros::bigint
      and g.next_trigger < :to_micros::bigint
    order by g.next_trigger
    limit :most::integer) t
  limit :most::integer) w
group by 1
