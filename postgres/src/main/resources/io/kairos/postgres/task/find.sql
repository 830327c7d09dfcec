-- A task, live or finished, :with_payload with its payload and its result: it is in one of the two tables in every snapshot.
-- Index: task_pkey, finished_task_pkey, task_queue_pkey, task_key_pkey, task_handler_pkey. No locks; one row or none.
select
  {view}
from (
  select
    {live}, case when :with_payload::boolean then t.payload end as payload, null::bytea as value,
    t.failures as shown
  from task t
  where t.id = :id::uuid
  union all
  select
    {finished}, case when :with_payload::boolean then f.payload end,
    case when :with_payload::boolean then f.result end, f.failures
  from finished_task f
  where f.id = :id::uuid) v
{view_joins}
