-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it, what it locks and how many rows it has.

-- Two lists of queues. held: a node or a worker has a task of the queue. ended: a task of the queue has ended without success;
-- up to :most_ended such tasks are read.
{held}:
held as materialized (
  select t.queue_id from task t where t.state in ('E', 'P') group by t.queue_id
), ended as materialized (
  select f.queue_id
  from finished_task f
  where f.state <> 'S' and f.state >= ' '
  order by f.state, f.id
  limit :most_ended::integer
)

-- A queue q that holds nothing. It has no tasks except successes, no limit and no schedule. Its handler has no ordering key,
-- setting or pause, and no worker has asked for it. Needs {held}. False for every queue while a node runs that does not know
-- migration 5: such a node would store tasks on a queue that is gone.
{holds_nothing}:
(select 1 from task t where t.queue_id = q.id and t.state in ('N', 'R') limit 1) is null
and (select 1 from task t where t.queue_id = q.id and t.state = 'H' limit 1) is null
and (select 1 from task_await a where a.queue_id = q.id limit 1) is null
and (select 1 from held h where h.queue_id = q.id limit 1) is null
and (select 1 from task_key k where k.handler = q.handler limit 1) is null
and (select count(*) from ended) < :most_ended::integer
and q.id <> all (array(select e.queue_id from ended e group by e.queue_id))
and (select 1 from task_limit l where l.queue_id = q.id limit 1) is null
and (select 1 from task_handler s where s.handler = q.handler limit 1) is null
and (select 1 from task_pause p where p.handler = q.handler limit 1) is null
and (select 1 from handler_asked a where a.handler = q.handler limit 1) is null
and q.id <> all (array(select s.queue_id from schedule s where s.name > '' and s.queue_id is not null))
and (select 1 from schedule_step p where p.queue_id = q.id limit 1) is null
and (select 1 from node n where n.retired_at is null and coalesce(n.schema_known, 0) < 5 limit 1) is null
