-- Claims enqueued tasks that still carry their fence for workers. The conditions keep the plan the same whatever the
-- statistics say: "any (array[...])" is looked up by the primary key but offers no join that could be run the wrong way
-- round, and the cast keeps the partial indexes out. Index: task_pkey, one probe per task. Locks the rows in the order of
-- the ids, sorted by the caller; as many rows as ids.
update task t
set
  state = 'P',
  holder = c.worker,
  fence = t.fence + 1,
  attempt = t.attempt + 1,
  next_trigger = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) + :lease_micros::bigint
from unnest(:ids::uuid[], :fences::bigint[], :workers::text[]) c (id, fence, worker)
where t.id = any (array[c.id])
  and t.fence = c.fence
  and t.state::text = 'E'
returning t.id, c.fence
