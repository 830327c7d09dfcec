-- Extends leases of tasks in processing that still carry their fence, each by its own length, and returns for each if its
-- cancel was requested, and whose worker claimed it: only that caller's renewals count, where both are known. A task is in
-- :ids twice only with two callers; where performed_by is null, one of the two is used. Passes over attempts that have taken
-- longer than their execution timeout, by the store's clock and by :believed_micros. No lease becomes shorter: heartbeats of one
-- task may arrive in another order than they were sent in. Notes its time, and the progress of those that say one, under the
-- fence of the attempt. See claim.sql for the form of the conditions. Index: task_pkey, one probe per task. Locks the rows in the order of the
-- ids, sorted by the caller; as many rows as ids.
update task t
set next_trigger = greatest(
  t.next_trigger,
  (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) + h.lease),
  heartbeat_at = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint),
  heartbeat_fence = t.fence,
  progress = case
    when h.percent is null then t.progress
    else jsonb_build_object(
      'fence', t.fence,
      'at', (select (extract(epoch from clock_timestamp()) * 1000000)::bigint),
      'percent', h.percent,
      'note', h.note)
  end
from unnest(
  :ids::uuid[], :fences::bigint[], :leases::bigint[], :callers::text[], :percents::bigint[], :notes::text[])
  h (id, fence, lease, caller, percent, note)
where t.id = any (array[h.id])
  and t.fence = h.fence
  and t.state::text = 'P'
  and (h.caller is null or t.performed_by is null or t.performed_by = h.caller)
  and (t.attempt_until is null
    or t.attempt_until
      > (select least(:believed_micros::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint)))
returning t.id, t.fence, t.cancel_requested, t.performed_by
