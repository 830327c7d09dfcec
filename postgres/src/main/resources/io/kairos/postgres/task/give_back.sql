-- Makes enqueued tasks wait again that still carry their fence; with :only_if_lapsed only those whose trigger has passed.
-- A first attempt waits for its due time, a retry for its moment: its trigger was that, or the time when it was enqueued,
-- plus the enqueue timeout, which is :timeout_micros. See claim.sql for the form of the conditions. Index: task_pkey, one
-- probe per task. Locks the rows in the order of the ids, sorted by the caller; as many rows as ids.
update task t
set
  state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end,
  next_trigger = case when t.attempt = 0 then t.due_at else t.next_trigger - :timeout_micros::bigint end,
  holder = null,
  fence = t.fence + 1
from unnest(:ids::uuid[], :fences::bigint[]) g (id, fence)
where t.id = any (array[g.id])
  and t.fence = g.fence
  and t.state::text = 'E'
  and (not :only_if_lapsed::boolean
    or t.next_trigger <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint))
returning t.id, g.fence
