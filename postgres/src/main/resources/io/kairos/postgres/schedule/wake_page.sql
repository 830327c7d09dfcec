-- Reads a page of schedules, those that follow :after by their ids, and makes those due for a decision now that were decided
-- by other time zone rules. See wake.sql for the fire times that have passed. Index: schedule_pkey, in its order. Locks the
-- schedules that it wakes in the order of the ids, and waits for transactions that are deciding on them; at most
-- :max_schedules rows.
with page as materialized (
  select p.id, p.status = 'ACTIVE' and p.time_zone_rules <> :time_zone_rules::text as by_others
  from schedule p
  where p.id > :after::uuid
  order by p.id
  limit :max_schedules::integer
), locked as materialized (
  select s.id
  from page g
  cross join lateral (
    select p.id from schedule p
    where p.id = g.id and p.status = 'ACTIVE' and p.time_zone_rules <> :time_zone_rules::text
    for no key update
  ) s
  where g.by_others
), {clock_when_locked}, woken as (
  update schedule s
  set
    {looked_at_now}
  from locked k
  where s.id = any (array[k.id])
)
select g.id, g.by_others from page g order by g.id
