-- Claims enqueued tasks for workers that still carry their fence. Of a limited queue it claims the first tasks for which
-- there is room. It claims none that is paused or past its start deadline, and tasks with a key or limits by key only when
-- :keyed, after these were locked and let them begin. The conditions keep the plan the same whatever the statistics say: "any
-- (array[...])" is looked up by the primary key but offers no join that could be run the wrong way round, the cast keeps
-- the partial indexes out, and "offset 0" keeps the look-up of pauses out of the joins. Index: task_pkey, one probe per
-- task; task_limit_pkey, task_queue_handler_priority_key. Locks the limits of these queues in the order of their numbers,
-- so that claims of one limited queue take turns, and pauses against being removed; then the rows in the order of the ids,
-- sorted by the caller; as many rows as ids. :queues has each of :queue_ids once, and those of all other tasks that the
-- transaction is going to claim.
with {clock}, {closed}, limited as materialized (
  select
    l.queue_id,
    l.running,
    case
      when l.rate is null then l.tokens
      else least(
        coalesce(l.burst, ceil(l.rate)),
        coalesce(l.tokens, coalesce(l.burst, ceil(l.rate)))
          + l.rate * greatest(0, (select micros from clock) - coalesce(l.tokens_at, 0)) / 1000000)
    end as tokens,
    l.rate,
    l.max_running
  from task_limit l
  where l.queue_id = any (:queues::integer[])
  order by l.queue_id
  for no key update of l
), claimed as (
  update task t
  set
    state = 'P',
    holder = c.worker,
    performed_by = c.caller,
    fence = t.fence + 1,
    attempt = t.attempt + 1,
    attempt_began = (select micros from clock),
    next_trigger = (select micros from clock) + :lease_micros::bigint,
    attempt_until = (select micros from clock) + t.execution_timeout_micros + :grace_micros::bigint
  from unnest(:ids::uuid[], :fences::bigint[], :workers::text[], :queue_ids::integer[], :nths::integer[], :callers::text[])
    c (id, fence, worker, queue_id, nth, caller)
  left join limited l on l.queue_id = c.queue_id
  where {still_enqueued}
    and ((t.key_id is null and t.limits is null) or :keyed::boolean)
    and (t.start_deadline is null or t.start_deadline >= (select micros from clock))
    and (l.max_running is null or c.nth <= l.max_running - l.running)
    and (l.rate is null or c.nth <= l.tokens + 0.000001)
    and (not exists (select from closed)
      or not exists (
        select 1 from closed s
        where s.queue_id = c.queue_id and (s.collection = '' or s.collection = t.collection)
        offset 0))
  returning t.id, c.fence, c.queue_id, t.has_predecessors
), counted as (
  update task_limit l
  set
    running = b.running + b.begun,
    tokens = b.tokens - case when b.rate is null then 0 else b.begun end,
    -- a transaction that this one has waited for may have a later clock
    tokens_at = case when b.rate is null then l.tokens_at else greatest(l.tokens_at, (select micros from clock)) end
  from (
    select m.queue_id, m.running, m.tokens, m.rate, count(*) as begun
    from limited m
    join claimed c on c.queue_id = m.queue_id
    where exists (select from limited)
    group by m.queue_id, m.running, m.tokens, m.rate) b
  where l.queue_id = b.queue_id
)
select id, fence, has_predecessors from claimed
