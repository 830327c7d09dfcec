-- Has schedules looked at now that were decided by other rules of time zones, and says which were looked through: those that
-- follow :after by their ids. What has passed is as it was: all of it is decided before what is due, but of one that was put off,
-- whose next_at is no fire time. The fire times of a fixed delay do not pass. Index: schedule_pkey, in its order. Waits for
-- whoever is deciding one that it wakes, in the order of the ids; at most :max_schedules rows.
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
), clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros from (select count(*) from locked) l
), woken as (
  update schedule s
  set
    next_at = least(s.next_at, (select micros from clock)),
    decided_to = case
      when s.put_off or s.rule_kind = 'DELAY' then s.decided_to
      else greatest(s.decided_to, least((select micros from clock), s.next_at - 1))
    end
  from locked k
  where s.id = any (array[k.id])
)
select g.id, g.by_others from page g order by g.id
