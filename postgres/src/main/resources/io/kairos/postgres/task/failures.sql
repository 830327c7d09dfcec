-- Groups of tasks that failed or are dead, each of a handler and a fingerprint, those with the latest end first. Of a group one
-- row for each hour that has ends, counted back from now, and one with the number :hours for what is longer ago. Each row
-- says how many noted tasks and how many others were examined in all, has the latest of its tasks, and in the first row of a group the class
-- and the text of the latest error. Tasks whose errors are not noted, because a node of an earlier version has ended them, have
-- no fingerprint; of these the latest :max_unnoted of each state are looked at. Without groups there is one row, of nulls.
-- Index: task_error_ended, finished_task_other_age, task_error_pkey, finished_task_pkey, task_queue_pkey. No locks; reads up to
-- :max_examined entries, and returns at most :hours + 1 rows for each of :max_groups groups.
with {clock}, noted as materialized (
  select t.task_id, t.queue_id, t.ended_at, t.fingerprint
  from task_error t
  where t.state in ('F', 'D') and t.ended_at >= :ended_from::bigint
  order by t.ended_at desc
  limit :max_examined::integer
), examined as materialized (
  select n.task_id, n.queue_id, n.ended_at, n.fingerprint from noted n
  union all
  select f.id, f.queue_id, f.finished_at, ''
  from unnest(array['F', 'D']) s (state)
  cross join lateral (
    select o.id, o.queue_id, o.finished_at
    from finished_task o
    where o.state <> 'S' and o.state::text = s.state and o.finished_at >= :ended_from::bigint
    order by o.finished_at desc
    limit :max_unnoted::integer) f
  where not exists (select 1 from task_error n where n.task_id = f.id offset 0)
), hours as materialized (
  select
    e.queue_id,
    e.fingerprint,
    least(:hours::integer, greatest(0, ((select micros from clock) - e.ended_at) / 3600000000))::integer as hour,
    count(*) as tasks,
    min(e.ended_at) as first_ended,
    max(e.ended_at) as last_ended,
    trim_array(
      array_agg(e.task_id order by e.ended_at desc, e.task_id desc),
      greatest(0, count(*) - :most_samples::integer)::integer) as samples
  from examined e
  group by e.queue_id, e.fingerprint, 3
), of_handlers as (
  select
    q.handler, h.fingerprint, h.hour, h.tasks, h.first_ended, h.last_ended, h.samples,
    max(h.last_ended) over (partition by q.handler, h.fingerprint) as group_ended
  from hours h
  cross join lateral (select n.handler from task_queue n where n.id = h.queue_id offset 0) q
  where :handler::text is null or q.handler = :handler::text
), ranked as (
  select
    o.*,
    dense_rank() over (order by o.group_ended desc, o.handler, o.fingerprint) as place,
    row_number() over (
      partition by o.handler, o.fingerprint order by o.last_ended desc, o.hour, o.samples desc) as nth
  from of_handlers o
), shown as materialized (
  select
    r.*,
    case when r.nth = 1 then
      (select f.state::text in ('F', 'D') from finished_task f where f.id = r.samples[1]) end as has_latest,
    case when r.nth = 1 then
      (select f.failures -> -1 ->> 'class' from finished_task f where f.id = r.samples[1]) end as error_class,
    case when r.nth = 1 then
      (select f.failures -> -1 ->> 'error' from finished_task f where f.id = r.samples[1]) end as error
  from ranked r
  where r.place <= :max_groups::integer
)
select
  r.handler, r.fingerprint, r.hour, r.tasks, r.first_ended, r.last_ended, r.samples, n.noted, n.unnoted, r.has_latest,
  r.error_class, r.error
from (
  select (select count(*) from noted) as noted, (select count(*) from examined) - (select count(*) from noted) as unnoted) n
left join shown r on true
order by r.place, r.nth
