-- Takes tasks out of the lines of names that have lost their turn: they were woken and have not come for :grace_micros, or cannot
-- come any more, as they are paused, put off or have ended. Those that still wait are looked for as any due task, and stand in line
-- again when they are refused. Index: key_wait_line, a range per name; task_pkey, two probes per task; task_pause_pkey and
-- task_queue_handler_priority_key. Skips rows locked by peers; at most :max_tasks rows. Returns the queue of each that has not begun
-- though its turn was long ago; else null.
with {clock}, paused as materialized (
  select q.id as queue_id, g.collection
  from task_pause g
  cross join lateral (select * from task_queue n where n.handler = g.handler offset 0) q
  where g.until is null or g.until > (select micros from clock)
), lost as materialized (
  select s.task_id, s.is_late
  from unnest(:names::text[]) n (name)
  cross join lateral (
    select k.task_id, k.woken_at <= (select micros from clock) - :grace_micros::bigint as is_late
    from key_wait k
    where k.name = n.name
      and k.woken_at is not null
      and (
        k.woken_at <= (select micros from clock) - :grace_micros::bigint
        -- the clock was set back
        or k.woken_at > (select micros from clock) + 2 * :grace_micros::bigint
        or not exists (
          select from task t
          where t.id = k.task_id
            and (t.state::text = 'E' or (t.state::text in ('N', 'R') and t.next_trigger <= k.woken_at))
            and not exists (
              select from paused p
              where p.queue_id = t.queue_id and (p.collection = '' or p.collection = t.collection)
              offset 0)
          offset 0))
    limit :max_tasks::integer
    for update skip locked) s
  limit :max_tasks::integer
), gone as (
  delete from key_wait w using lost l where w.task_id = any (array[l.task_id])
)
select t.queue_id
from lost l
left join lateral (
  select s.queue_id from task s
  where s.id = l.task_id
    and l.is_late
    and (
      s.state::text = 'E'
      or (s.state::text in ('N', 'R') and s.next_trigger <= (select micros from clock)))
  offset 0) t on true
