-- Of the workers with this id the one that was heard of last. One whose drain alone is known, because the server has lost the
-- signs of life at a crash, has not said anything of itself. Index: worker_seen_pkey and worker_drained_pkey, or all of the tables,
-- which are small; and task_held, of which all is read. No locks; at most one row.
with shown as materialized (
  select k.*
  from (
    select w.worker, w.caller, w.host, w.version, w.slots, w.handlers, w.since, w.seen_at, w.lapsed
    from worker_seen w
    where w.worker = :worker::text
    union all
    select x.worker, x.caller, '', '', 0, '', x.seen_at, x.seen_at, 0
    from worker_drained x
    where x.worker = :worker::text
      and not exists (select 1 from worker_seen w where w.worker = x.worker and w.caller = x.caller)) k
  order by k.seen_at desc
  limit 1)
select {shown_worker}
