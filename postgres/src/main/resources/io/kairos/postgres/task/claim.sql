-- Claims enqueued tasks that still carry their fence and are not too late to begin for workers; those with a key only when
-- :keyed, after their keys were locked and have let them. The conditions keep the plan the same whatever the
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
  and (t.key_id is null or :keyed::boolean)
  and (t.start_deadline is null or t.start_deadline >= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint))
returning t.id, c.fence
