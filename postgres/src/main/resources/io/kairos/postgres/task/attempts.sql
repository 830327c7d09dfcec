-- Attempts under way that carry these fences. See claim.sql for the cast. Index: task_pkey, one probe per task. No locks;
-- as many rows as ids.
select
  t.id, t.fence, t.state, t.attempt, t.max_attempts, t.backoff_initial_micros, t.backoff_factor, t.backoff_max_micros,
  t.holder
from unnest(:ids::uuid[], :fences::bigint[]) h (id, fence)
cross join lateral (
  select * from task p
  where p.id = h.id and p.fence = h.fence and p.state::text = 'P'
  offset 0) t
