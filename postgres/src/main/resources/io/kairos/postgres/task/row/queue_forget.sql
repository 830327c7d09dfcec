-- Removes retired queues that hold nothing. A queue was retired at the time in :marks and has not been taken back since. The
-- transactions before :horizon have ended: they may have read the queue before it was retired. All successes that are left
-- are at least an hour younger than the retirement, so none is the queue's; the hour is for clocks that differ. Index: those
-- of queue_retire.sql, task_queue_pkey, and the first entry of finished_task_success_age. Locks the rows that it removes
-- and skips rows locked by peers; at most as many rows as ids.
with {held}
delete from task_queue
where id = any (array(
  select q.id
  from unnest(:ids::integer[], :marks::bigint[]) c (id, mark)
  join task_queue q on q.id = c.id and q.retired_at = c.mark
  where pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= :horizon::bigint
    and coalesce(
      (select f.finished_at from finished_task f where f.state = 'S' order by f.finished_at limit 1)
        > q.retired_at + 3600000000,
      true)
    and {holds_nothing}
  for update of q skip locked))
