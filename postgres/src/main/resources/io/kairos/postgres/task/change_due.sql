-- Gives tasks that no worker performs other due times and no holder, except those that would be past their start deadline.
-- See reschedule.sql. Index: task_pkey, one probe per task. The rows and their keys are locked already; as many as ids.
update task t
set
  due_at = c.due,
  next_trigger = c.due,
  state = case when t.state = 'A' then 'A'::"char" when t.attempt = 0 then 'N'::"char" else 'R'::"char" end,
  holder = null,
  fence = t.fence + 1
from unnest(:ids::uuid[], :dues::bigint[]) c (id, due)
where t.id = any (array[c.id])
  and t.state::text <> 'P'
  and (t.start_deadline is null or t.start_deadline >= c.due)
returning t.id
