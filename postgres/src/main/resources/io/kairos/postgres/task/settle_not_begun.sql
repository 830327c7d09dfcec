-- Gives tasks back that workers have not begun and that still carry their fence, unless their cancel was asked for: they wait
-- as before the claim, a first attempt in its place by due time, a retry for now. Those with a key only when :keyed: then
-- they and their keys are locked already. See claim.sql for the form of the
-- conditions, settle_finish.sql for limits. Index: task_pkey, one probe per task; task_limit_pkey. Locks the rows in the
-- order of the ids, sorted by the caller, then the limits of their queues; as many rows as ids.
with back as (
  update task t
  set
    state = case when t.attempt = 1 then 'N'::"char" else 'R'::"char" end,
    next_trigger =
      case when t.attempt = 1 then t.due_at else (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) end,
    attempt = t.attempt - 1,
    holder = null,
    fence = t.fence + 1
  from unnest(:ids::uuid[], :fences::bigint[]) s (id, fence)
  where t.id = any (array[s.id])
    and t.fence = s.fence
    and t.state::text = 'P'
    and (t.key_id is null or :keyed::boolean)
    and not t.cancel_requested
  returning t.id, s.fence, t.queue_id
), freed as materialized (
  select l.queue_id, e.ended
  from (select queue_id, count(*) as ended from back group by queue_id) e
  join task_limit l on l.queue_id = e.queue_id
  order by l.queue_id
  for no key update of l
), uncounted as (
  update task_limit l set running = greatest(0, l.running - f.ended) from freed f where l.queue_id = f.queue_id
)
select b.id, b.fence, (select f.queue_id from freed f where f.queue_id = b.queue_id) from back b
