-- Keys that are blocked by a head that has failed for good, then keys whose head waits for another attempt; of a handler or
-- (:handler null) of all handlers, after :after_blocked and :after_retried of each kind. Each comes with the last failure
-- of its head, null when that has been pruned. Index: task_key_blocked, in its order; task_key_failing, in its order, then
-- task_key_pkey; task_of_key for the counts, which end at :most_counted; finished_task_pkey or task_pkey for the failures.
-- No locks; at most :max_keys rows, but passes over those of other handlers and over tasks that fail and are no heads.
select
  s.id,
  s.handler,
  s.key,
  s.failed,
  s.head,
  (select count(*) from (
    select 1 from task t
    where t.key_id = s.id and t.id <> s.head and t.state::text <> 'A'
    limit :most_counted::integer) c),
  case
    when s.failed then (select f.failures -> -1 ->> 'error' from finished_task f where f.id = s.head)
    else (select h.failures -> -1 ->> 'error' from task h where h.id = s.head)
  end
from (
  (select k.id, k.handler, k.key, true as failed, k.blocked_by as head
  from task_key k
  where k.blocked_by is not null
    and k.id > :after_blocked::bigint
    and (:handler::text is null or k.handler = :handler::text)
  order by k.id
  limit :max_keys::integer)
  union all
  (select k.id, k.handler, k.key, false, k.head
  from task f
  cross join lateral (select * from task_key p where p.id = f.key_id offset 0) k
  where f.key_id > :after_retried::bigint
    and f.key_id is not null
    and f.state in ('R', 'E')
    and f.attempt > 0
    and f.id = k.head
    and k.blocked_by is null
    and (:handler::text is null or k.handler = :handler::text)
  order by f.key_id
  limit :max_keys::integer)) s
order by s.failed desc, s.id
limit :max_keys::integer
