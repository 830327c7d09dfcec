-- Locks tasks that still match, to change them, and returns their state and key. Index: task_pkey, one probe per task, and
-- those of change_find.sql. Locks the rows in the order of the ids, sorted by the caller; as many rows as ids.
with {wanted}
select t.id, t.state, t.key_id
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select t.id, t.state, t.key_id from task t where t.id = n.id and {changed} for update of t) t
