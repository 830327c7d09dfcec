-- Attempts under way that carry these fences, with the retry policy of the task or else of its handler. See claim.sql for
-- the cast. Index: task_pkey, task_queue_pkey, task_handler_pkey, one probe each per task. No locks; as many rows as ids.
select
  t.id, t.fence, t.state, t.attempt, coalesce(t.max_attempts, y.max_attempts),
  coalesce(t.backoff_initial_micros, y.backoff_initial_micros), coalesce(t.backoff_factor, y.backoff_factor),
  coalesce(t.backoff_max_micros, y.backoff_max_micros), t.holder
from unnest(:ids::uuid[], :fences::bigint[]) h (id, fence)
cross join lateral (
  select * from task p
  where p.id = h.id and p.fence = h.fence and p.state::text = 'P'
  offset 0) t
left join lateral (
  select h.max_attempts, h.backoff_initial_micros, h.backoff_factor, h.backoff_max_micros
  from (select * from task_queue p where p.id = t.queue_id offset 0) n
  cross join lateral (select * from task_handler s where s.handler = n.handler offset 0) h
  offset 0) y on t.max_attempts is null
