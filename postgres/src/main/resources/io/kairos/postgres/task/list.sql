-- Tasks that match, newest first, without payload, with their latest :max_failures failures, without stacks. Waiting tasks and successes are found by walking the primary key
-- downwards from :before; its order is that of acceptance. Held tasks are all read and sorted; nodes and workers bound
-- their number. Other ends are found each by its range. Other ways are taken instead where these would pass over much: ends
-- within a time by that, when list_aged.sql says that they are few; ends by the fingerprint or the class of their latest
-- error; unfinished tasks by their ordering key, when list_keyed.sql says that it has few; runs of a schedule by their index
-- while they have not ended, and then by the ledger of its fire times, as are those that were put back: the ids of the tasks of a run
-- differ in their last two digits. Tasks of a batch by the list of these. Ranges are named by comparisons of rows, which no other
-- index fits. Parts that are not asked for are not run. :down_to bounds how many
-- tasks are passed over: no part goes below it.
-- Index: task_pkey, task_held, task_of_key, task_of_schedule, finished_task_pkey, finished_task_other, finished_task_success_age,
-- finished_task_other_age, task_error_print, task_error_class, schedule_name_key, schedule_fire_pkey, task_batch_member_pkey, task_key_pkey,
-- task_handler_pkey, task_queue_pkey and task_queue_handler_priority_key. No locks; at most :max_tasks rows, and passes over
-- tasks that do not match down to :down_to.
with {wanted}, fired as materialized (
  select r.run
  from schedule_fire r
  where cardinality(:runs::text[]) > 0
    and (r.schedule_id, r.fire_at) < ((select schedule_id from wanted), :fired_before::bigint)
    and (r.schedule_id, r.fire_at) >= ((select schedule_id from wanted), (-9223372036854775808)::bigint)
  order by r.schedule_id desc, r.fire_at desc
  limit {most_runs}
), joined as materialized (
  select m.task_id
  from task_batch_member m
  where cardinality(:members::text[]) > 0
    and (m.batch_id, m.task_id) < (:batch::uuid, :before::uuid)
    and (m.batch_id, m.task_id) >= (:batch::uuid, :down_to::uuid)
  order by m.batch_id desc, m.task_id desc
), page as materialized (
  (select
    {live}
  from task t
  where cardinality(:waiting::text[]) > 0
    and t.state::text = any (:waiting::text[])
    and {live_listed}
  order by t.id desc
  limit :max_tasks::integer)
  union all
  (select t.*
  from (
    select
      {live}
    from task t
    where cardinality(:held::text[]) > 0 and t.state in ('E', 'P')
    offset 0) t
  where t.state::text = any (:held::text[])
    and {live_listed}
  order by t.id desc
  limit :max_tasks::integer)
  union all
  (select t.*
  from (
    select
      {live}
    from task t
    where cardinality(:keyed::text[]) > 0 and t.key_id = (select key_id from wanted)
    offset 0) t
  where t.state::text = any (:keyed::text[])
    and {live_listed}
  order by t.id desc
  limit :max_tasks::integer)
  union all
  (select
    {live}
  from task t
  where cardinality(:runs::text[]) > 0
    and t.schedule_id is not null
    and (t.schedule_id, t.id) < ((select schedule_id from wanted), :before::uuid)
    and (t.schedule_id, t.id) >= ((select schedule_id from wanted), :down_to::uuid)
    and t.state::text = any (:runs::text[])
    and {live_listed}
  order by t.schedule_id desc, t.id desc
  limit :max_tasks::integer)
  union all
  (select
    {finished}
  from finished_task f
  where :succeeded::boolean
    and f.state::text = 'S'
    and {ended_listed}
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
      and {ended_listed}
    order by f.state desc, f.id desc
    limit :max_tasks::integer) o)
  union all
  (select f.*
  from (
    select
      {finished}
    from finished_task f
    where :aged_success::boolean
      and f.state = 'S'
      and f.finished_at >= :ended_from::bigint
      and f.finished_at < :ended_to::bigint
    offset 0) f
  where {ended_listed}
  order by f.id desc
  limit :max_tasks::integer)
  union all
  (select f.*
  from unnest(:aged_ends::text[]) e (state)
  cross join lateral (
    select
      {finished}
    from finished_task f
    where f.state <> 'S'
      and f.state::text = e.state
      and f.finished_at >= :ended_from::bigint
      and f.finished_at < :ended_to::bigint
    offset 0) f
  where {ended_listed}
  order by f.id desc
  limit :max_tasks::integer)
  union all
  (select
    {finished}
  from task_error e
  cross join lateral (select * from finished_task p where p.id = e.task_id offset 0) f
  where cardinality(:failed::text[]) > 0
    and :fingerprint::text <> ''
    and e.fingerprint <> ''
    and (e.fingerprint, e.task_id) < (:fingerprint::text, :before::uuid)
    and (e.fingerprint, e.task_id) >= (:fingerprint::text, :down_to::uuid)
    and f.state::text = any (:failed::text[])
    and {ended_listed}
  order by e.fingerprint desc, e.task_id desc
  limit :max_tasks::integer)
  union all
  (select
    {finished}
  from task_error e
  cross join lateral (select * from finished_task p where p.id = e.task_id offset 0) f
  where cardinality(:failed::text[]) > 0
    and :fingerprint::text = ''
    and e.error_class <> ''
    and (e.error_class, e.task_id) < (:error_class::text, :before::uuid)
    and (e.error_class, e.task_id) >= (:error_class::text, :down_to::uuid)
    and f.state::text = any (:failed::text[])
    and {ended_listed}
  order by e.error_class desc, e.task_id desc
  limit :max_tasks::integer)
  union all
  (select
    {live}
  from fired m
  cross join lateral (
    select * from task p
    where p.id >= m.run and p.id <= (left(m.run::text, 34) || 'ff')::uuid and p.schedule_id is null
    offset 0) t
  where t.state::text = any (:runs::text[])
    and {live_listed}
  order by t.id desc
  limit :max_tasks::integer)
  union all
  (select
    {finished}
  from fired m
  cross join lateral (
    select * from finished_task p where p.id >= m.run and p.id <= (left(m.run::text, 34) || 'ff')::uuid offset 0) f
  where f.state::text = any (:runs::text[])
    and {ended_listed}
  order by f.id desc
  limit :max_tasks::integer)
  union all
  (select
    {live}
  from joined m
  cross join lateral (select * from task p where p.id = m.task_id offset 0) t
  where t.state::text = any (:members::text[])
    and {live_listed}
  order by t.id desc
  limit :max_tasks::integer)
  union all
  (select
    {finished}
  from joined m
  cross join lateral (select * from finished_task p where p.id = m.task_id offset 0) f
  where f.state::text = any (:members::text[])
    and {ended_listed}
  order by f.id desc
  limit :max_tasks::integer)
)
select
  {view}
from (
  select
    p.*, null::bytea as payload, null::bytea as value,
    (select jsonb_agg(e.failure - 'stack' order by e.nth)
      from jsonb_array_elements(p.failures) with ordinality e (failure, nth)
      where e.nth > jsonb_array_length(p.failures) - :max_failures::integer) as shown
  from (select g.* from page g order by g.id desc limit :max_tasks::integer) p
  offset 0) v
{view_joins}
order by v.id desc
