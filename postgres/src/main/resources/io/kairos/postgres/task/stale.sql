-- Counts tasks whose time passed :overdue_micros ago and that no worker has, each kind up to :most: those that wait, and those
-- on the queues of nodes that have not been begun. Index: task_waiting, one probe per queue; task_held, of which all is read,
-- because nodes and workers bound it. No locks; one row.
with late as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint - :overdue_micros::bigint as micros
)
select (
  select count(*) from (
    select 1
    from task_queue q
    cross join lateral (
      select 1 from task t
      where t.queue_id = q.id and t.state in ('N', 'R') and t.next_trigger <= (select micros from late)
      limit :most::integer) w
    limit :most::integer) waiting
) + (
  select count(*) from (
    select 1
    from (select t.state, t.attempt, t.due_at from task t where t.state in ('E', 'P') offset 0) h
    where h.state::text = 'E' and h.attempt = 0 and h.due_at <= (select micros from late)
    limit :most::integer) queued
)
