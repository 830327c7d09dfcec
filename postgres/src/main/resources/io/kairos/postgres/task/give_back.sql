-- Makes enqueued tasks wait again that still carry their fence; with :lapsed_by only those whose trigger has passed by
-- then and by the store's clock. A first attempt waits for its due time again. A retry waits for its former trigger
-- again: the present trigger is the former one, or the time of enqueueing if that was later, plus :timeout_micros,
-- which is the enqueue timeout. See claim.sql for the form of the conditions. Index: task_pkey, one probe per task.
-- Locks the rows in the order of the ids, sorted by the caller; as many rows as ids.
update task t
set
  {waiting_again}
from unnest(:ids::uuid[], :fences::bigint[]) c (id, fence)
where {still_enqueued}
  and (:lapsed_by::bigint is null
    or t.next_trigger
      <= (select least(:lapsed_by::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint)))
returning t.id, c.fence
