-- Tasks in these states, newest first, without payload; of a handler or (:handler null) of all handlers, of a collection
-- and with a key where these are given (a key with its handler), due from :from to before :to. Waiting tasks and
-- successes are found by walking the primary key downwards from :before; its order is that of acceptance. Held tasks are
-- all read and sorted; nodes and workers bound their number. Other ends are found each by its range, named by
-- comparisons of rows, which no other index fits. Parts that are not asked for are not run. :down_to bounds how many
-- tasks are passed over: no part goes below it.
-- Index: task_pkey, task_held, finished_task_pkey, finished_task_other, task_key_pkey, task_handler_pkey, task_queue_pkey
-- and task_queue_handler_priority_key. No locks; at most :max_tasks rows, and passes over tasks that do not match down to
-- :down_to.
with wanted as materialized (
  select
    array(select q.id from task_queue q where q.handler = :handler::text) as queue_ids,
    (select k.id from task_key k where k.handler = :handler::text and k.key = :key::text) as key_id
), page as materialized (
  (select
    {live}
  from task t
  where cardinality(:waiting::text[]) > 0
    and t.id < :before::uuid
    and t.id >= :down_to::uuid
    and t.state::text = any (:waiting::text[])
    and (:handler::text is null or t.queue_id = any ((select queue_ids from wanted)::integer[]))
    and (:collection::text is null or t.collection = :collection::text)
    and (:key::text is null or t.key_id = (select key_id from wanted))
    and t.due_at >= :from::bigint
    and t.due_at < :to::bigint
  order by t.id desc
  limit :max_tasks::integer)
  union all
  (select h.*
  from (
    select
      {live}
    from task t
    where cardinality(:held::text[]) > 0 and t.state in ('E', 'P')
    offset 0) h
  where h.id < :before::uuid
    and h.id >= :down_to::uuid
    and h.state::text = any (:held::text[])
    and (:handler::text is null or h.queue_id = any ((select queue_ids from wanted)::integer[]))
    and (:collection::text is null or h.collection = :collection::text)
    and (:key::text is null or h.key_id = (select key_id from wanted))
    and h.due_at >= :from::bigint
    and h.due_at < :to::bigint
  order by h.id desc
  limit :max_tasks::integer)
  union all
  (select
    {finished}
  from finished_task f
  where :succeeded::boolean
    and f.id < :before::uuid
    and f.id >= :down_to::uuid
    and f.state::text = 'S'
    and (:handler::text is null or f.queue_id = any ((select queue_ids from wanted)::integer[]))
    and (:collection::text is null or f.collection = :collection::text)
    and (:key::text is null or f.key = :key::text)
    and f.due_at >= :from::bigint
    and f.due_at < :to::bigint
  order by f.id desc
  limit :max_tasks::integer)
  union all
  (select o.*
  from unnest(:other_ends::text[]) e (state)
  cross join lateral (
    select
      {finished}
    from finished_task f
    where f.state <> 'S'
      and (f.state, f.id) < (e.state::"char", :before::uuid)
      and (f.state, f.id) >= (e.state::"char", :down_to::uuid)
      and (:handler::text is null or f.queue_id = any ((select queue_ids from wanted)::integer[]))
      and (:collection::text is null or f.collection = :collection::text)
      and (:key::text is null or f.key = :key::text)
      and f.due_at >= :from::bigint
      and f.due_at < :to::bigint
    order by f.state desc, f.id desc
    limit :max_tasks::integer) o)
)
select
  {view}
from (select p.*, null::bytea as payload from page p order by p.id desc limit :max_tasks::integer) v
{view_joins}
order by v.id desc
