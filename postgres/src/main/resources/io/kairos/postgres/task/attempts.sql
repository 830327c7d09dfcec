-- Attempts under way that carry these fences, with the retry policy of the task or else of its handler. See claim.sql for
-- the cast. Index: task_pkey, task_queue_pkey, task_handler_pkey, one probe each per task. No locks; as many rows as ids.
select {attempt}
from unnest(:ids::uuid[], :fences::bigint[]) h (id, fence)
cross join lateral (
  select * from task p
  where p.id = h.id and p.fence = h.fence and p.state::text = 'P'
  offset 0) t
{policy_of_handler}
