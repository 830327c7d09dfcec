-- Takes back retired queues that have tasks all the same. Index: task_waiting, a probe per queue. Locks the rows that it
-- changes and skips rows locked by peers; few rows or none.
update task_queue
set retired_at = null
where id = any (array(
  select q.id
  from task_queue q
  where q.retired_at is not null
    and (select 1 from task t where t.queue_id = q.id and t.state in ('N', 'R') limit 1) is not null
  for update of q skip locked))
