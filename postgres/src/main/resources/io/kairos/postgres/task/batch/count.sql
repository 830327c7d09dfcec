-- Moves ends that were noted into the rows of their batches, and returns how many entries. Index: task_batch_end_batch, in its order,
-- then by ctid; task_batch_pkey. Locks the entries and skips those locked by peers, then the batches in the order of their ids, and waits for those who
-- add tasks; at most :max_ends entries.
with taken as (
  delete from task_batch_end
  where ctid = any (array(
    select e.ctid from task_batch_end e order by e.batch_id limit :max_ends::integer for update skip locked))
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
  order by t.batch_id
), locked as materialized (
  select s.*
  from sums s
  cross join lateral (select l.id from task_batch l where l.id = s.batch_id for no key update) b
), counted as (
  update task_batch b
  set
    succeeded = b.succeeded + l.succeeded,
    failed = b.failed + l.failed,
    cancelled = b.cancelled + l.cancelled,
    dead = b.dead + l.dead
  from locked l
  where b.id = any (array[l.batch_id])
)
select count(*) from taken
