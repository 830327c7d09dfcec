-- Counts entries without an outcome among the newest :max_entries of those that began between :ended_within_micros and
-- :looked_back_micros ago. Index: audit_entry_age, backwards. No locks; at most :max_entries rows.
select count(*)::integer
from (
  select a.outcome
  from audit_entry a
  where a.began_at <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :ended_within_micros::bigint
    and a.began_at >= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :looked_back_micros::bigint
  order by a.began_at desc, a.id desc
  limit :max_entries::integer) newest
where newest.outcome = 'BEGUN'
