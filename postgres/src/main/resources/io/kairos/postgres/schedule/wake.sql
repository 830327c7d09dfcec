-- Has schedules looked at now whose calendar has changed, also those that have ended with runs left, because it named no day any
-- more. What has passed is as it was: all of it is decided before what is due, but of one that was put off, whose next_at is no
-- fire time. The fire times of a fixed delay do not pass.
-- Index: schedule_pkey. Waits for whoever is deciding one; in the order of the ids, sorted by the caller. As many rows as ids.
with locked as materialized (
  select s.id
  from unnest(:ids::uuid[]) n (id)
  cross join lateral (
    select p.id from schedule p
    where p.id = n.id
      and (p.status = 'ACTIVE' or (p.status = 'ENDED' and (p.max_runs is null or p.runs < p.max_runs)))
    for no key update
  ) s
), clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros from (select count(*) from locked) l
)
update schedule s
set
  status = 'ACTIVE',
  since = case when s.status = 'ACTIVE' then s.since else (select micros from clock) end,
  next_at = least(s.next_at, (select micros from clock)),
  decided_to = case
    when s.put_off or s.rule_kind = 'DELAY' then s.decided_to
    else greatest(s.decided_to, least((select micros from clock), s.next_at - 1))
  end
from locked k
where s.id = any (array[k.id])
