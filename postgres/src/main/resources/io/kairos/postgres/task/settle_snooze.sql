-- Puts tasks in processing off that still carry their fence, unless their cancel was requested: they are due after :delays by
-- the store's clock, and the attempts do not count. Passes over attempts that have taken longer than their
-- execution timeout, by the store's clock and by :believed_micros. Tasks with a key or with limits by key only when
-- :keyed: then they, their keys and limits are locked already. See claim.sql for the form of the conditions, settle_finish.sql for limits. Index: task_pkey, one probe
-- per task; task_limit_pkey. Locks the rows in the order of the ids, sorted by the caller, then the limits of their queues;
-- as many rows as ids.
with {clock}, began as materialized (
  select p.id, p.attempt_began
  from unnest(:ids::uuid[], :fences::bigint[]) o (id, fence)
  cross join lateral (select t.* from task t where t.id = o.id and t.fence = o.fence offset 0) p
), settled as (
  update task t
  set
    state = case when t.attempt = 1 then 'N'::"char" else 'R'::"char" end,
    due_at = (select micros from clock) + s.delay,
    next_trigger = (select micros from clock) + s.delay,
    attempt = t.attempt - 1,
    attempt_began = null,
    attempt_until = null,
    holder = null,
    fence = t.fence + 1
  from unnest(:ids::uuid[], :fences::bigint[], :delays::bigint[], :workers::text[], :callers::text[])
    s (id, fence, delay, worker, caller)
  where {still_processing}
    and not t.cancel_requested
    and (t.attempt_until is null or t.attempt_until > least(:believed_micros::bigint, (select micros from clock)))
  returning t.id, s.fence, t.queue_id, t.traceparent
), {freed}
select b.id, b.fence, (select f.queue_id from freed f where f.queue_id = b.queue_id),
  b.queue_id, (select micros from clock) - (select o.attempt_began from began o where o.id = b.id), b.traceparent, null
from settled b
