-- Gives tasks back that workers have not begun and that still carry their fence, unless their cancel was requested: a first
-- attempt waits as before the claim, a retry is due now. Tasks with a key or with limits by key only when :keyed: then
-- they, their keys and limits are locked already. See claim.sql for the form of the conditions, settle_finish.sql for limits. Index: task_pkey, one probe
-- per task; task_limit_pkey. Locks the rows in the order of the ids, sorted by the caller, then the limits of their queues;
-- as many rows as ids. Of an attempt that never began no time is returned.
with settled as (
  update task t
  set
    state = case when t.attempt = 1 then 'N'::"char" else 'R'::"char" end,
    next_trigger =
      case when t.attempt = 1 then t.due_at else (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) end,
    attempt = t.attempt - 1,
    attempt_began = null,
    attempt_until = null,
    holder = null,
    fence = t.fence + 1
  from unnest(:ids::uuid[], :fences::bigint[], :workers::text[], :callers::text[]) s (id, fence, worker, caller)
  where {still_processing}
    and not t.cancel_requested
  returning t.id, s.fence, t.queue_id, t.traceparent
), {freed}
select b.id, b.fence, (select f.queue_id from freed f where f.queue_id = b.queue_id),
  b.queue_id, null::bigint, b.traceparent, null
from settled b
