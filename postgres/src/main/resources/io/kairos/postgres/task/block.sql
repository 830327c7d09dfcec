-- Takes enqueued tasks from their queue that their key does not let begin; they wait for other tasks of the key. Index:
-- task_pkey, one probe per task. The rows are locked already; as many as ids.
update task t
set state = 'B', holder = null, fence = t.fence + 1, next_trigger = t.due_at
from unnest(:ids::uuid[], :fences::bigint[]) c (id, fence)
where {still_enqueued}
