-- Retires queues that hold nothing. Does nothing while there are fewer than :least queues, or :most_ended tasks that did not
-- succeed. Index: task_waiting, task_paused, task_held, task_key_handler_key_key, finished_task_other and those of small
-- tables, a probe each per queue; reads the schedules and the queues. Locks the rows that it changes and skips rows locked
-- by peers; at most :max_queues rows.
with {held}
update task_queue
set retired_at = (extract(epoch from clock_timestamp()) * 1000000)::bigint
where id = any (array(
  select q.id
  from task_queue q
  where q.retired_at is null
    and (select count(*) from task_queue) >= :least::integer
    and {holds_nothing}
  order by q.id
  limit :max_queues::integer
  for update of q skip locked))
