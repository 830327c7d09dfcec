-- Moves ends that were noted behind :after into the rows of their batches, and forgets those whose batch was removed. Returns how many
-- were moved, how many there were, the last of these, and the store's time. Index: task_batch_end_pkey, in its order, then by ctid; task_batch_pkey. Locks
-- the batches, which is the right to move their notes, and leaves those that peers have locked, or to which somebody adds tasks;
-- at most :max_ends entries.
with page as materialized (
  select e.ctid as place, e.id, e.batch_id
  from task_batch_end e
  where e.id > :after::bigint
  order by e.id
  limit :max_ends::integer
), locked as materialized (
  select b.id
  from (select distinct p.batch_id from page p) n
  cross join lateral (select l.id from task_batch l where l.id = n.batch_id for no key update skip locked) b
), taken as (
  delete from task_batch_end
  where ctid = any (array(
    select p.place
    from page p
    where p.batch_id in (select l.id from locked l)
      or not exists (select from task_batch b where b.id = p.batch_id offset 0)))
  returning batch_id, state, tasks
), sums as materialized (
  select
    t.batch_id,
    coalesce(sum(t.tasks) filter (where t.state = 'S'), 0)::integer as succeeded,
    coalesce(sum(t.tasks) filter (where t.state = 'F'), 0)::integer as failed,
    coalesce(sum(t.tasks) filter (where t.state = 'C'), 0)::integer as cancelled,
    coalesce(sum(t.tasks) filter (where t.state = 'D'), 0)::integer as dead
  from taken t
  group by t.batch_id
), counted as (
  update task_batch b
  set
    succeeded = b.succeeded + s.succeeded,
    failed = b.failed + s.failed,
    cancelled = b.cancelled + s.cancelled,
    dead = b.dead + s.dead
  from sums s
  where b.id = any (array[s.batch_id])
)
select (select count(*) from taken), count(*), max(p.id), (extract(epoch from clock_timestamp()) * 1000000)::bigint from page p
