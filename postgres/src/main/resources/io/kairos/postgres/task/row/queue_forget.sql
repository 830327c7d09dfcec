-- Removes queues that were retired as :marks say and hold nothing, once all transactions before :horizon have ended and the
-- successes from before their retirement are pruned, with an hour for clocks. Index: as queue_retire, task_queue_pkey and
-- finished_task_success_age, of which the first entry. Locks the rows that it removes and skips rows locked by peers; at
-- most as many rows as ids.
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
