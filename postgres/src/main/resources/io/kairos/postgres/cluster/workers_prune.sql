-- Removes workers that were not heard of for :kept_micros, and those heard of longest ago beyond :most_of_caller of a caller and
-- :most of all. Reads all of the table, which is small; index: worker_seen_pkey, one probe per worker to remove. Locks the rows
-- that it removes and skips rows locked by peers.
delete from worker_seen
where ctid = any (array(
  select k.ctid
  from (
    select
      s.worker,
      s.caller,
      s.seen_at,
      row_number() over (partition by s.caller order by s.seen_at desc) as of_caller,
      row_number() over (order by s.seen_at desc) as of_all
    from worker_seen s) r
  cross join lateral (
    select x.ctid
    from worker_seen x
    where x.worker = r.worker and x.caller = r.caller
    offset 0
    for update skip locked) k
  where r.seen_at < clock_timestamp() - :kept_micros::bigint * interval '1 microsecond'
    or r.of_caller > :most_of_caller::integer
    or r.of_all > :most::integer))
