-- The store's clock, and the first time at which a schedule that nodes decide is to be decided on. Index: schedule_due, its
-- first entry. No locks; one row.
select
  (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) as now,
  (
    select s.next_at from schedule s where s.next_at is not null and s.decider = 'NODE' order by s.next_at limit 1
  ) as next_at
