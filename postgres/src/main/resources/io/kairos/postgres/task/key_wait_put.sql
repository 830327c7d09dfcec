-- Takes enqueued tasks from their queue that a limit does not let begin: they stand in its line, with a turn after :delays or,
-- where that is null, asleep. Index: task_pkey, one probe per task; writes key_wait. The rows are locked already; as many as ids.
with {clock}, waiting as (
  update task t
  set
    state = case when t.attempt = 0 then 'N'::"char" else 'R'::"char" end,
    holder = null,
    fence = t.fence + 1,
    next_trigger = coalesce((select micros from clock) + c.delay, {never})
  from unnest(:ids::uuid[], :fences::bigint[], :names::text[], :delays::bigint[]) c (id, fence, name, delay)
  where {still_enqueued}
  returning t.id, t.due_at, c.name, (select micros from clock) + c.delay as woken_at
)
insert into key_wait (task_id, name, due, woken_at)
select w.id, w.name, w.due_at, w.woken_at from waiting w order by w.id
on conflict (task_id) do update set name = excluded.name, due = excluded.due, woken_at = excluded.woken_at
