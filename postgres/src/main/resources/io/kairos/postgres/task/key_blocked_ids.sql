-- Those of these keys that have blocked tasks. Index: task_blocked, one probe per key. No locks; at most as many rows as
-- ids.
select n.id
from unnest(:ids::bigint[]) n (id)
where (select t.id from task t where t.key_id = n.id and t.state = 'B' limit 1) is not null
