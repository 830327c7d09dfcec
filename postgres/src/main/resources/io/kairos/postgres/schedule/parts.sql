-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it, what it locks and how many rows it has.

-- The calendars that a schedule names, as ScheduleRows reads them.
{calendars}:
array(
  select c.kind || ' ' || c.calendar from schedule_calendar c where c.schedule_id = s.id order by c.calendar, c.kind
) as calendars

-- The rest of a list: the page of schedules p, and what is read with each.
{listed}:
p.name > :after::text
and p.name >= :prefix::text
and p.name < :prefix::text || '~'
and (cardinality(:statuses::text[]) = 0 or p.status = any (:statuses::text[]))
order by p.name
limit :max_schedules::integer) s
left join lateral (select f.handler, f.priority from task_queue f where f.id = s.queue_id offset 0) q on true
order by s.name

-- Makes a schedule due for a decision now; fire times that have passed stay as they were.
{looked_at_now}:
next_at = least(s.next_at, (select micros from clock)),
decided_to = case
  when s.put_off or s.rule_kind = 'DELAY' then s.decided_to
  else greatest(s.decided_to, least((select micros from clock), s.next_at - 1))
end

-- The clock after the locks.
{clock_when_locked}:
clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros from (select count(*) from locked) l
)
