-- Counts schedules that nodes decide, by the cells of their next fire times, of those before :to_micros up to :most. Index:
-- schedule_due, its first entries. No locks; a row per cell.
select {cell} as cell, count(*)
from (
  select s.next_at as at
  from schedule s
  where s.next_at is not null and s.decider = 'NODE' and s.next_at < :to_micros::bigint
  order by s.next_at
  limit :most::integer) w
group by 1
