-- Corrects the counts of running tasks by their difference from the tasks that run, both as one snapshot shows them. They
-- only differ when a claim did not see a limit that was just set; changes that others count meanwhile stay counted. Reads
-- nothing but task_limit while no queue is limited. Index: task_limit_pkey, task_held in all that is held. Waits for claims
-- and ends of the queues that it corrects, in the order of their numbers; at most one row per limited queue.
with performed as materialized (
  select t.queue_id, count(*) as running
  from task t
  where t.state in ('E', 'P') and t.state::text = 'P' and (select count(*) from task_limit) > 0
  group by t.queue_id
), wrong as materialized (
  select s.queue_id, coalesce(p.running, 0) - s.running as missing
  from task_limit s
  left join performed p on p.queue_id = s.queue_id
  where s.running <> coalesce(p.running, 0)
), locked as materialized (
  select l.queue_id, w.missing
  from task_limit l
  join wrong w on w.queue_id = l.queue_id
  order by l.queue_id
  for no key update of l
)
update task_limit l
set running = greatest(0, l.running + w.missing)
from locked w
where l.queue_id = w.queue_id
