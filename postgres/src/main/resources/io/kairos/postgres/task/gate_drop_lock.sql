-- Tasks that nobody holds, to drop them when their keys are locked too: of a handler (:collection empty) what waits and what
-- is held back with a collection, of a collection all. Index: task_waiting, task_paused or task_collection, a range for each
-- queue of the handler. Locks the rows and skips rows locked by peers; at most :max_tasks rows of each kind.
with queue as materialized (
  select q.id from task_queue q where q.handler = :handler::text
), waiting as materialized (
  select p.id, p.key_id
  from queue q
  cross join lateral (
    select t.id, t.key_id from task t
    where :collection::text = '' and t.queue_id = q.id and t.state in ('N', 'R')
    limit :max_tasks::integer
    for update skip locked) p
  limit :max_tasks::integer
), held_back as materialized (
  select p.id, p.key_id
  from queue q
  cross join lateral (
    select t.id, t.key_id from task t
    where :collection::text = '' and t.queue_id = q.id and t.state = 'H'
    limit :max_tasks::integer
    for update skip locked) p
  limit :max_tasks::integer
), collected as materialized (
  select p.id, p.key_id
  from queue q
  cross join lateral (
    select t.id, t.key_id from task t
    where t.queue_id = q.id
      and t.collection = nullif(:collection::text, '')
      and t.state::text in ('N', 'R', 'B', 'H')
    limit :max_tasks::integer
    for update skip locked) p
  limit :max_tasks::integer
)
select id, key_id from waiting union all select id, key_id from held_back union all select id, key_id from collected
