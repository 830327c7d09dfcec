-- Gives queues their numbers, unless they have one or there are :most queues, or :most_of_maker of :maker, who may be null.
-- A look-up comes first, so that asking again uses up no numbers. Index: task_queue_handler_priority_key; counts the whole
-- table, of at most :most rows. Waits for a transaction that is inserting the same queue; in the order of the names, sorted
-- by the caller. One row per queue.
insert into task_queue (handler, priority, made_by)
select n.handler, n.priority, :maker::text
from unnest(:handlers::text[], :priorities::integer[]) n (handler, priority)
where (select q.id from task_queue q where q.handler = n.handler and q.priority = n.priority) is null
limit (
  select greatest(0, least(
    :most::integer - count(*),
    :most_of_maker::integer - count(*) filter (where m.made_by = :maker::text)))
  from task_queue m)
on conflict (handler, priority) do nothing
