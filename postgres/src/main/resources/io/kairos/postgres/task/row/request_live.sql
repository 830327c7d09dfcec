-- Those of these tasks that are unfinished, with their states; true for those with an ordering key. Tasks that are to be
-- :replaced are locked, in the order of the ids, sorted by the caller, so that they stay as they are. A task with an
-- ordering key is not replaced and not locked: a transaction that wakes the next task of a key skips locked ones, see
-- promote_first.sql. Index: task_pkey, two probes per task; as many rows as ids.
select l.id, l.state, false as is_ordered
from unnest(:replaced::uuid[]) n (id)
cross join lateral (
  select t.id, t.state
  from task t
  where t.id = n.id and t.key_id is null
  for no key update) l
union all
select l.id, l.state, l.is_ordered
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select t.id, t.state, t.key_id is not null as is_ordered
  from task t
  where t.id = n.id
  offset 0) l
where l.is_ordered or n.id <> all (:replaced::uuid[])
