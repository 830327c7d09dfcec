-- Held tasks whose trigger has passed, the longest passed first. Index: task_held, in its order. Locks the rows for as long
-- as it reads and skips those locked by peers, who are just changing them; at most :max_tasks rows.
select
  t.id, t.fence, t.state, t.attempt, t.max_attempts, t.backoff_initial_micros, t.backoff_factor, t.backoff_max_micros,
  t.holder
from task t
where t.state in ('E', 'P')
  and t.next_trigger <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
order by t.next_trigger
limit :max_tasks::integer
for no key update skip locked
