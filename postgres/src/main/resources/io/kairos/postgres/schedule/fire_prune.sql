-- Removes decisions that were made longer ago than :retention_micros, the longest ago first. Index: schedule_fire_age, then
-- by ctid. Locks the rows that it removes and skips rows locked by peers; at most :max_fires rows.
delete from schedule_fire
where ctid = any (array(
  select f.ctid
  from schedule_fire f
  where f.decided_at < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :retention_micros::bigint
  order by f.decided_at
  limit :max_fires::integer
  for update skip locked))
