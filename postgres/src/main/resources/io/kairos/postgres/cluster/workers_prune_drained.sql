-- Removes drains of workers that were not heard of for :kept_micros. Reads all of the table, which is nearly always empty. Locks the
-- rows that it removes and skips rows locked by peers, which remove or keep them.
delete from worker_drained
where ctid = any (array(
  select x.ctid
  from worker_drained x
  where x.seen_at < clock_timestamp() - :kept_micros::bigint * interval '1 microsecond'
  for update skip locked))
