-- Which of these tasks have a turn, and of which name. Index: key_wait_pkey, one probe per task. No locks: the uses are locked; at
-- most as many rows as ids.
select w.task_id, w.name
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select k.task_id, k.name from key_wait k where k.task_id = n.id and k.woken_at is not null offset 0) w
