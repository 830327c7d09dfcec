-- Makes the first blocked tasks of each of these keys wait for their turn again, as many as there is room for. Index:
-- task_blocked, in its order, then by ctid. Locks the rows that it changes and skips rows locked by peers; see
-- promote_first.sql. At most the room of each key.
with free as materialized (
  select t.place
  from unnest(:ids::bigint[], :rooms::integer[]) k (id, room)
  cross join lateral (
    select p.ctid as place from task p
    where p.key_id = k.id and p.state = 'B'
    order by p.due_at, p.id
    limit k.room
    for update skip locked) t
)
update task t
set state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end
from free f
where t.ctid = f.place
returning t.queue_id
