-- The retired queues, each with the transaction before which all have begun. Reads the whole table, which is small. No locks.
select q.id, q.retired_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint
from task_queue q
where q.retired_at is not null
order by q.id
