-- Held tasks whose trigger has passed, the longest passed first, with the retry policy of the task or else of its handler.
-- Index: task_held, in its order; task_queue_pkey, task_handler_pkey, one probe each per task. Locks the rows while it
-- reads and skips rows locked by peers, which are changing them; at most :max_tasks rows.
select
  t.id, t.fence, t.state, t.attempt, coalesce(t.max_attempts, y.max_attempts),
  coalesce(t.backoff_initial_micros, y.backoff_initial_micros), coalesce(t.backoff_factor, y.backoff_factor),
  coalesce(t.backoff_max_micros, y.backoff_max_micros), t.holder
from task t
left join lateral (
  select h.max_attempts, h.backoff_initial_micros, h.backoff_factor, h.backoff_max_micros
  from (select * from task_queue p where p.id = t.queue_id offset 0) n
  cross join lateral (select * from task_handler s where s.handler = n.handler offset 0) h
  offset 0) y on t.max_attempts is null
where t.state in ('E', 'P')
  and t.next_trigger <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
order by t.next_trigger
limit :max_tasks::integer
for no key update of t skip locked
