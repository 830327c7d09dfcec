-- The id down to which a list goes that passes over tasks which do not match: of each part that is asked for, the id that
-- is :max_looked below :before; the greatest of them. Null when no part has so many. The parts are those of list.sql.
-- Index: task_pkey, finished_task_pkey, finished_task_other. No locks; passes over :max_looked entries of each part.
select greatest(
  (select t.id
  from task t
  where cardinality(:waiting::text[]) > 0 and t.id < :before::uuid
  order by t.id desc
  offset :max_looked::integer limit 1),
  (select f.id
  from finished_task f
  where :succeeded::boolean and f.id < :before::uuid
  order by f.id desc
  offset :max_looked::integer limit 1),
  (select o.id
  from unnest(:other_ends::text[]) e (state)
  cross join lateral (
    select f.id
    from finished_task f
    where f.state <> 'S'
      and (f.state, f.id) < (e.state::"char", :before::uuid)
      and (f.state, f.id) >= (e.state::"char", '00000000-0000-0000-0000-000000000000'::uuid)
    order by f.state desc, f.id desc
    offset :max_looked::integer limit 1) o
  order by o.id desc
  limit 1))
