-- Gives queues their numbers, unless they have one or there are :most queues. A look-up comes first, so that asking again
-- uses up no numbers. Index: task_queue_handler_priority_key; counts the whole table, of at most :most rows. Waits for a
-- transaction that is inserting the same queue; in the order of the names, sorted by the caller. One row per queue.
insert into task_queue (handler, priority)
select n.handler, n.priority
from unnest(:handlers::text[], :priorities::integer[]) n (handler, priority)
where (select q.id from task_queue q where q.handler = n.handler and q.priority = n.priority) is null
limit greatest(0, :most::integer - (select count(*) from task_queue))
on conflict (handler, priority) do nothing
