-- The queues that have had a task with a fairness key; none without the index by which their tasks are found. Reads the whole table,
-- which is small. No locks.
select q.id
from task_queue q
where q.is_fair
  and q.retired_at is null
  and exists (select from pg_index i where i.indexrelid = to_regclass('task_fair') and i.indisvalid)
order by q.id
