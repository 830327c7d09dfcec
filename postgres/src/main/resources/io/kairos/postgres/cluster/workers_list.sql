-- Workers behind a place of the list, at most :max_workers: first those heard of within :quiet_micros. Reads all of worker_seen, which
-- is small, and the tasks that are held, of which those of other workers are not counted. Index: task_held, of which all is read,
-- because nodes and workers bound it. No locks.
with shown as materialized (
  select *
  from worker_seen w
  where (w.seen_at < {quiet_before}, w.worker, w.caller) > (:after_quiet::boolean, :after_worker::text, :after_caller::text)
  order by w.seen_at < {quiet_before}, w.worker, w.caller
  limit :max_workers::integer)
select {shown_worker}
order by w.seen_at < {quiet_before}, w.worker, w.caller
