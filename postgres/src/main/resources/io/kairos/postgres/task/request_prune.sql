-- Removes idempotency keys whose window is over. Index: task_request_until, in its order, then by ctid. Locks the rows that
-- it removes and skips rows locked by peers; at most :max_keys rows.
delete from task_request
where ctid = any (array(
  select r.ctid from task_request r
  where r.until < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  order by r.until
  limit :max_keys::integer
  for update skip locked))
