-- Tasks that nobody holds, to drop them once their keys are locked, too. Of a handler (:collection empty) these are the
-- waiting tasks, those held back with a collection, and those blocked behind these or behind a head that has failed for
-- good; of a collection all tasks. A task that is blocked behind one that a worker performs waits after it. Index:
-- task_waiting, task_paused or task_collection, a range for each queue of the handler; task_blocked, a range for each key;
-- task_key_blocked. Locks the rows and skips rows locked by peers; at most :max_tasks rows of each kind.
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
), stuck as materialized (
  select k.id
  from task_key k
  where :collection::text = ''
    and k.blocked_by is not null
    and k.id > 0
    and k.handler = :handler::text
    and (select t.id from task t where t.key_id = k.id and t.state = 'B' limit 1) is not null
  order by k.id
  limit :max_tasks::integer
), blocked as materialized (
  select p.id, p.key_id
  from (select w.key_id from waiting w union select h.key_id from held_back h union select s.id from stuck s) k
  cross join lateral (
    select t.id, t.key_id from task t
    where t.key_id = k.key_id and t.state = 'B'
    order by t.due_at, t.id
    limit :max_tasks::integer
    for update skip locked) p
  limit :max_tasks::integer
)
select id, key_id from waiting
union all select id, key_id from held_back
union all select id, key_id from blocked
union all select id, key_id from collected
