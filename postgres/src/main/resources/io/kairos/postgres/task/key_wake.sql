-- Wakes the first :counts tasks of each name that sleep: the turn of the first is after :firsts, of each other :steps later. Takes
-- out of the line, without a turn, tasks that are paused or of a queue of :unserved, and what tasks have left in it that do not
-- sleep any more. Index: key_wait_line, an ordered range per name; key_wait_pkey; task_pkey, three probes per task; task_pause_pkey
-- and task_queue_handler_priority_key. Locks the tasks that it wakes and the rows that it takes out, skips those locked by peers, which the next sweep finds; looks
-- at most at twice :counts and :spare more of each name. Returns the queue of each woken task, null for what was taken out.
with {clock}, passed_over as materialized (
  select q.id as queue_id, g.collection
  from task_pause g
  cross join lateral (select * from task_queue n where n.handler = g.handler offset 0) q
  where g.until is null or g.until > (select micros from clock)
  union all
  select u.queue_id, '' from unnest(:unserved::integer[]) u (queue_id)
), front as materialized (
  select l.task_id, n.name, n.most, n.first, n.step, l.due
  from unnest(:names::text[], :counts::integer[], :firsts::bigint[], :steps::double precision[]) n (name, most, first, step)
  cross join lateral (
    select w.task_id, w.due from key_wait w
    where w.name = n.name and w.woken_at is null
    -- all of one woken_at; it is in the order so that the index gives the rows in it
    order by w.woken_at, w.due
    limit 2 * n.most + :spare::integer) l
), sleeping as materialized (
  select
    f.*,
    exists (
      select from passed_over p
      where p.queue_id = t.queue_id and (p.collection = '' or p.collection = t.collection)
      offset 0) as is_passed_over
  from front f
  cross join lateral (
    select s.queue_id, s.collection from task s
    where s.id = f.task_id and s.next_trigger = {never} and s.state::text in ('N', 'R')
    offset 0) t
), in_turn as materialized (
  select s.*, row_number() over (partition by s.name, s.is_passed_over order by s.due, s.task_id) - 1 as nth from sleeping s
), chosen as materialized (
  select
    s.task_id,
    s.name,
    s.is_passed_over,
    case when s.is_passed_over then 0 else (s.first + s.step * s.nth)::bigint end as delay
  from in_turn s
  cross join lateral (
    select t.id from task t
    where t.id = s.task_id and t.next_trigger = {never} and t.state::text in ('N', 'R')
    for no key update skip locked) t
  where s.is_passed_over or s.nth < s.most
), in_the_way as materialized (
  select l.task_id
  from (
    select c.task_id, c.name from chosen c where c.is_passed_over
    union all
    select f.task_id, f.name
    from front f
    where not exists (select from task t where t.id = f.task_id and t.next_trigger = {never} offset 0)) o
  cross join lateral (
    -- a peer may let the task stand in another line meanwhile; written so that it is not looked up by the name
    select w.task_id from key_wait w where w.task_id = o.task_id and w.name || '' = o.name
    for update skip locked) l
), taken_out as (
  delete from key_wait w
  using in_the_way g
  where w.task_id = any (array[g.task_id])
  returning w.task_id
), noted as (
  update key_wait w
  set woken_at = (select micros from clock) + c.delay
  from chosen c
  where w.task_id = any (array[c.task_id]) and not c.is_passed_over
), woken as (
  update task t
  set next_trigger = case
    when c.delay = 0 then t.due_at
    else (select micros from clock) + c.delay
  end
  from chosen c
  where t.id = any (array[c.task_id])
  returning t.queue_id, c.is_passed_over
)
select w.queue_id from woken w where not w.is_passed_over
union all
select null from taken_out
