-- Makes schedules due for a decision now because a calendar of theirs has changed; also schedules that have ended with runs
-- left, because the calendar named no day any more. Fire times that have passed stay as they were: they count as decided,
-- except for a schedule that was put off, whose next_at is no fire time, and for a fixed delay, whose fire times do not
-- pass. Index: schedule_pkey. Waits for transactions that are deciding on one; in the order of the ids. As many rows as
-- ids.
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
