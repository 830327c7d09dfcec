-- Puts waiting tasks of one queue whose trigger comes within :ahead_micros on the queue of :node: of each fairness key that has
-- such tasks the earliest, one at least and of the rest of :max_tasks as many as the weight of its earliest task says, and up to
-- :max_bytes of payload over all, but at least one task. Looks at :max_keys keys after :after and, when it has come to the last,
-- from the first on; leaves out those of :without. Tasks without a key that the queue had before its first key are found among
-- its 100 earliest. Passes over tasks past their start deadline and over a paused handler, and holds tasks of paused collections
-- back, which it returns without payload, as enqueue.sql. Every row says at its end whether all keys were looked at, the first
-- and the last of them, and the one before the first whose tasks did not fit; without tasks there is one row for it. A key whose due
-- tasks are all past their deadline counts as one that has some. Index: task_fair, a probe or two per key and an ordered range for
-- each that has due tasks; task_waiting, task_pkey, then by ctid. Locks pauses against being removed, then the tasks, and skips
-- rows locked by peers; changes at most :max_tasks rows and those that it holds back, and locks 100 more.
with recursive {clock}, {closed}, walk as (
  select
    :after::text collate "C" as fairness_key,
    null::bigint as next_trigger,
    null::integer as weight,
    0 as nth,
    false as is_second
  union all
  select n.fairness_key, n.next_trigger, n.weight, w.nth + 1, n.is_second
  from walk w
  cross join lateral (
    select m.*
    from (
      (select t.fairness_key, t.next_trigger, coalesce(t.fairness_weight, 1) as weight, w.is_second
      from task t
      where t.queue_id = :queue_id::integer and t.state::text in ('N', 'R') and t.fairness_key > w.fairness_key
      order by t.fairness_key, t.next_trigger
      limit 1)
      union all
      (select t.fairness_key, t.next_trigger, coalesce(t.fairness_weight, 1), true
      from task t
      where t.queue_id = :queue_id::integer and t.state::text in ('N', 'R') and t.fairness_key is not null and not w.is_second
      order by t.fairness_key, t.next_trigger
      limit 1)) m
    order by m.is_second
    limit 1) n
  where w.nth <= :max_keys::integer and not (n.is_second and n.fairness_key > :after::text)
), due as materialized (
  select k.fairness_key, k.weight, k.nth, sum(k.weight) over () as weights, count(*) over () as keys
  from walk k
  where k.nth between 1 and :max_keys::integer
    and k.next_trigger <= (select micros from clock) + :ahead_micros::bigint
    and k.fairness_key <> all (:without::text[])
), shared as materialized (
  select d.nth as nth_of_key, c.*
  from due d
  cross join lateral (
    select t.ctid as place, t.id, t.next_trigger, t.collection, octet_length(t.payload) as bytes
    from task t
    where t.queue_id = :queue_id::integer
      and t.fairness_key = d.fairness_key
      and t.state::text in ('N', 'R')
      and t.next_trigger <= (select micros from clock) + :ahead_micros::bigint
      and (t.start_deadline is null or t.start_deadline >= (select micros from clock))
    order by t.next_trigger
    limit 1 + (:max_tasks::integer - d.keys) * d.weight / d.weights
    for update skip locked) c
  where not exists (
    select 1 from closed s where s.queue_id = :queue_id::integer and s.collection = '' offset 0)
), unnoted as materialized (
  select 0 as nth_of_key, c.*
  from (
    select t.id, t.fairness_key
    from task t
    where t.queue_id = :queue_id::integer
      and t.state in ('N', 'R')
      and t.next_trigger <= (select micros from clock) + :ahead_micros::bigint
    order by t.next_trigger
    limit 100) e
  cross join lateral (
    select p.ctid as place, p.id, p.next_trigger, p.collection, octet_length(p.payload) as bytes
    from task p
    where p.id = e.id
      and p.state::text in ('N', 'R')
      and (p.start_deadline is null or p.start_deadline >= (select micros from clock))
    for update skip locked) c
  where e.fairness_key is null
    and '' <> all (:without::text[])
    and not exists (
      select 1 from closed s where s.queue_id = :queue_id::integer and s.collection = '' offset 0)
), candidate as (
  select
    f.*,
    row_number() over (partition by f.nth_of_key order by f.next_trigger, f.id) as nth,
    exists (
      select 1 from closed s
      where s.queue_id = :queue_id::integer and s.collection = f.collection
      offset 0) as is_paused
  from (select * from shared union all select * from unnoted) f
), measured as (
  select
    place,
    next_trigger,
    nth_of_key,
    is_paused,
    row_number() over (order by is_paused, nth, nth_of_key, id) as place_of_all,
    sum(case when is_paused then 0 else bytes end)
      over (order by is_paused, nth, nth_of_key, id rows unbounded preceding) as bytes_so_far
  from candidate
), fitted as materialized (
  select
    m.*,
    m.place_of_all <= :max_tasks::integer and (m.place_of_all = 1 or m.bytes_so_far <= :max_bytes::bigint) as fits
  from measured m
), chosen as materialized (
  select place, next_trigger, not is_paused as is_enqueued
  from fitted
  where is_paused or fits
), changed as (
  update task t
  set
    {enqueued_by_node}
  from chosen c
  where t.ctid = c.place
  returning {enqueued}
)
select c.*, w.*
from (
  select
    max(k.nth) <= :max_keys::integer as is_whole,
    max(k.fairness_key) filter (where k.nth = 1) as first_key,
    max(k.fairness_key) filter (where k.nth = :max_keys::integer) as last_key,
    max(k.fairness_key) filter (where k.nth = (
      select min(c.nth_of_key) - 1
      from (
        select f.nth_of_key
        from fitted f
        where f.nth_of_key > 0 and not f.is_paused
        group by f.nth_of_key
        having not bool_or(f.fits)) c)) as before_cut
  from walk k) w
left join changed c on true
