-- Those of these tasks that are unfinished, with their states; true for those with an ordering key; of those to be replaced, for
-- how long they have been stored, and true for those that are due or in a node's memory. Tasks that are to be
-- :replaced are locked, in the order of the ids, sorted by the caller, so that they stay as they are. A task with an
-- ordering key is not replaced and not locked: a transaction that wakes the next task of a key skips locked ones, see
-- promote_first.sql. Index: task_pkey, two probes per task; as many rows as ids.
select l.id, l.state, false as is_ordered, clock.micros - l.created_at as age,
  l.state = 'E' or (l.state in ('N', 'R') and l.next_trigger <= clock.micros) as is_due
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
cross join unnest(:replaced::uuid[]) n (id)
cross join lateral (
  select t.id, t.state, t.created_at, t.next_trigger
  from task t
  where t.id = n.id and t.key_id is null
  for no key update) l
union all
select l.id, l.state, l.is_ordered, 0, false
from unnest(:ids::uuid[]) n (id)
cross join lateral (
  select t.id, t.state, t.key_id is not null as is_ordered
  from task t
  where t.id = n.id
  offset 0) l
where l.is_ordered or n.id <> all (:replaced::uuid[])
