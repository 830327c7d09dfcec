-- Makes schedules due for a decision now because one of their calendars has changed. Also wakes a schedule with runs left that
-- had ended because the calendar named no further day. A fire time that has passed counts as decided, with two exceptions: a
-- schedule that was put off, because its next_at is no fire time, and a fixed delay, because its fire times do not pass.
-- Index: schedule_pkey. Locks the rows in the order of the ids, and waits for transactions that are deciding on them; as
-- many rows as ids.
with locked as materialized (
  select s.id
  from unnest(:ids::uuid[]) n (id)
  cross join lateral (
    select p.id from schedule p
    where p.id = n.id
      and (p.status = 'ACTIVE' or (p.status = 'ENDED' and (p.max_runs is null or p.runs < p.max_runs)))
    for no key update
  ) s
), {clock_when_locked}
update schedule s
set
  status = 'ACTIVE',
  since = case when s.status = 'ACTIVE' then s.since else (select micros from clock) end,
  {looked_at_now}
from locked k
where s.id = any (array[k.id])
