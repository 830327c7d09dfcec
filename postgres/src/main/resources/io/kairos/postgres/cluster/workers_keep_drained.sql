-- Notes that drained workers were heard of, once in an hour. Index: worker_drained_pkey, one probe each. Locks the rows that it
-- changes and skips rows locked by peers, which note the same; at most as many as :workers has.
update worker_drained
set seen_at = clock_timestamp()
where ctid = any (array(
  select k.ctid
  from unnest(:workers::text[], :callers::text[]) s (worker, caller)
  cross join lateral (
    select x.ctid
    from worker_drained x
    where x.worker = s.worker
      and x.caller = s.caller
      and x.seen_at < clock_timestamp() - interval '1 hour'
    offset 0
    for no key update skip locked) k))
