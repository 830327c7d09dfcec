-- Lets a blocked task of each of these keys wait for its turn again: the given head or, without one, the first of all in
-- due order, if it is blocked. Index: task_of_key, its first entry of each key; task_pkey. Locks what it changes and skips
-- rows locked by peers: they are cancelling or rescheduling, wait for the lock of the key, and do this after it. At most
-- one row per key.
with first as materialized (
  select coalesce(k.head::uuid, (
    select p.id from task p
    where p.key_id = k.id
    order by p.due_at, p.id
    limit 1)) as id
  from unnest(:ids::bigint[], :heads::text[]) k (id, head)
), free as materialized (
  select t.place
  from first f
  cross join lateral (
    select p.ctid as place from task p
    where p.id = f.id and p.state::text = 'B'
    for update skip locked) t
)
update task t
set state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end
from free f
where t.ctid = f.place
returning t.queue_id
