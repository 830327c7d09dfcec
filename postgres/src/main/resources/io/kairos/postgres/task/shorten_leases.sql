-- Renews leases of workers that end later than :beyond_micros from now, the latest first: the clock has been set back
-- since they were given. Passes over tasks of pools, whose endpoints ask for leases of any length. Index: task_held,
-- from its end, then by ctid; task_queue_pkey, one probe per task. Locks the rows and skips rows locked by peers; at
-- most :max_tasks rows.
with {clock}
update task t
set next_trigger = (select micros from clock) + :lease_micros::bigint
where t.ctid = any (array(
  select h.ctid from task h
  where h.state in ('E', 'P')
    and h.next_trigger > (select micros from clock) + :beyond_micros::bigint
    and h.state::text = 'P'
    and not exists (select 1 from task_queue q where q.id = h.queue_id and starts_with(q.handler, 'pool:') offset 0)
  order by h.next_trigger desc
  limit :max_tasks::integer
  for no key update skip locked))
