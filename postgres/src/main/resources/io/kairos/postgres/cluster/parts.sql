-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it and how many rows it has.

-- The columns that a node tells, in the order in which they are read.
{told}:
{figures}, f.is_last, f.name, f.version, f.doors, f.clock_offset_micros, f.load, f.heap_bytes, f.obstacles

-- Of that the figures.
{figures}:
f.node_id, f.period,
f.tasks_accepted, f.tasks_begun, f.tasks_ended, f.task_lateness, f.task_overdue_micros, f.messages_accepted, f.messages_begun,
f.messages_ended, f.message_lateness, f.message_overdue_micros, f.failed_attempts, f.given_up, f.lapsed_leases, f.fires,
f.skipped_fires, f.put_off, f.dead_letter_routes, f.dead_letters, f.hiccup_micros

-- The slots of periods :from_period to :to_period, which are at most an hour.
{slots}:
array(select (n % 720)::smallint from generate_series(:from_period::bigint, :to_period::bigint) n)

-- The cell in which a time w.at is counted: 0 for what is overdue, 1 for the first bar, and one beyond the last bar.
{cell}:
case
  when w.at <= :now_micros::bigint then 0
  else least(greatest((w.at - :begin_micros::bigint) / :bar_micros::bigint, 0), :bars::bigint) + 1
end

-- Whoever was not heard of since then is quiet. One time for all rows.
{quiet_before}:
(statement_timestamp() - :quiet_micros::bigint * interval '1 microsecond')

-- Workers as they are shown, with the tasks that they perform, which are counted of the rows of shown alone.
{shown_worker}:
  w.worker, w.caller, w.host, w.version, w.slots, w.handlers, w.since, w.seen_at, w.lapsed, d.worker is not null,
  coalesce(p.tasks, 0), w.seen_at < {quiet_before}
from shown w
left join worker_drained d on d.worker = w.worker and d.caller = w.caller
left join (
  select h.holder, h.performed_by, count(*) as tasks
  from (select t.state, t.holder, t.performed_by from task t where t.state in ('E', 'P') offset 0) h
  where h.state::text = 'P' and h.holder in (select s.worker from shown s)
  group by h.holder, h.performed_by) p
  on p.holder = w.worker and coalesce(p.performed_by, '') = w.caller
