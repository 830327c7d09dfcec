-- Removes entries of calls that began longer ago than :retention_micros, the longest ago first. Index: audit_entry_age, then
-- by ctid. Locks the rows that it removes and skips rows locked by peers; at most :max_entries rows.
delete from audit_entry
where ctid = any (array(
  select a.ctid
  from audit_entry a
  where a.began_at < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :retention_micros::bigint
  order by a.began_at
  limit :max_entries::integer
  for update skip locked))
