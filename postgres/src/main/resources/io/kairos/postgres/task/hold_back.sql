-- Takes enqueued tasks from their queue that the rate of their key does not let begin yet; they wait for :delays. Index:
-- task_pkey, one probe per task. The rows are locked already; as many as ids.
update task t
set
  state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end,
  holder = null,
  fence = t.fence + 1,
  next_trigger = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) + c.delay
from unnest(:ids::uuid[], :fences::bigint[], :delays::bigint[]) c (id, fence, delay)
where {still_enqueued}
