-- Wakes the first :counts tasks of each name that sleep: the turn of the first is after :firsts, of each other :steps later. Deletes
-- what tasks have left in the line that do not sleep any more. Index: key_wait_line, an ordered range per name; task_pkey, two
-- probes per task. Locks the rows and skips rows locked by peers, which the next sweep finds; passes over at most twice :counts and
-- a hundred more of each name. Returns the queue of each woken task.
with {clock}, front as materialized (
  select l.task_id, n.name, n.most, n.first, n.step, l.due
  from unnest(:names::text[], :counts::integer[], :firsts::bigint[], :steps::double precision[]) n (name, most, first, step)
  cross join lateral (
    select w.task_id, w.due from key_wait w
    where w.name = n.name and w.woken_at is null
    -- all of one woken_at; it is in the order so that the index gives the rows in it
    order by w.woken_at, w.due, w.task_id
    limit 2 * n.most + 100
    for update skip locked) l
), left_behind as (
  delete from key_wait w
  using front f
  where w.task_id = any (array[f.task_id])
    and not exists (select from task t where t.id = f.task_id and t.next_trigger = {never} offset 0)
), sleeping as materialized (
  select
    f.task_id,
    f.most,
    f.first,
    f.step,
    row_number() over (partition by f.name order by f.due, f.task_id) - 1 as nth
  from front f
  where exists (
    select from task t where t.id = f.task_id and t.next_trigger = {never} and t.state::text in ('N', 'R') offset 0)
), chosen as materialized (
  select s.task_id, (s.first + s.step * s.nth)::bigint as delay
  from sleeping s
  cross join lateral (
    select t.id from task t
    where t.id = s.task_id and t.next_trigger = {never} and t.state::text in ('N', 'R')
    for no key update skip locked) t
  where s.nth < s.most
), noted as (
  update key_wait w
  set woken_at = (select micros from clock) + c.delay
  from chosen c
  where w.task_id = any (array[c.task_id])
)
update task t
set next_trigger = case
  when c.delay = 0 and t.attempt = 0 then t.due_at
  else (select micros from clock) + c.delay
end
from chosen c
where t.id = any (array[c.task_id])
returning t.queue_id
