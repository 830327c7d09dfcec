-- Handles tasks that were not claimed and still carry their fence. Paused tasks leave their queue: when the handler is
-- paused they wait as before, when only their collection is, they are held back with it. Tasks past their start deadline wait
-- as before, too: they begin when the clock turns out to be wrong. The other tasks are held back by a limit; they are
-- returned with the time until it may have room, null when that does not depend on time. See claim.sql for the form of the
-- conditions. Index: task_pkey, two probes per task; task_limit_pkey. Locks pauses against being removed, then the rows that
-- leave in the order of the ids, sorted by the caller; as many rows as ids.
with {clock}, {closed}, gone as (
  update task t
  set
    state = case
      when exists (
          select 1 from closed s
          where s.queue_id = c.queue_id and s.collection = t.collection
          offset 0)
        and not exists (select 1 from closed s where s.queue_id = c.queue_id and s.collection = '' offset 0)
        then 'H'::"char"
      when t.attempt = 0 then 'N'::"char"
      else 'R'::"char"
    end,
    next_trigger = case when t.attempt = 0 then t.due_at else (select micros from clock) end,
    holder = null,
    fence = t.fence + 1
  from unnest(:ids::uuid[], :fences::bigint[], :queue_ids::integer[]) c (id, fence, queue_id)
  where {still_enqueued}
    and (
      (((t.key_id is null and t.limits is null) or :keyed::boolean) and t.start_deadline < (select micros from clock))
      or exists (
        select 1 from closed s
        where s.queue_id = c.queue_id and (s.collection = '' or s.collection = t.collection)
        offset 0))
  returning t.id
)
select
  t.id,
  t.fence,
  case
    when l.max_running is not null and l.running >= l.max_running then null
    when l.rate is null then 0
    else greatest(0, ceil(
      (1 - coalesce(l.tokens, 1)) / l.rate * 1000000 - ((select micros from clock) - coalesce(l.tokens_at, 0))))::bigint
  end as wait
from unnest(:ids::uuid[], :fences::bigint[], :queue_ids::integer[]) c (id, fence, queue_id)
cross join lateral (
  select p.id, p.fence from task p
  where p.id = c.id
    and p.fence = c.fence
    and p.state::text = 'E'
    and ((p.key_id is null and p.limits is null) or :keyed::boolean)
  offset 0) t
left join lateral (select * from task_limit m where m.queue_id = c.queue_id offset 0) l on true
where not exists (select 1 from gone g where g.id = t.id offset 0)
