-- The id down to which a list goes that passes over tasks which do not match: of each part that is asked for, the id that
-- is :max_looked below :before; the greatest of them. Null when no part has so many. The parts are those of list.sql. Then
-- the fire time of the schedule that is :max_runs further back in its ledger, or :max_graphs if its runs are graphs; skipped ones
-- count too; null when there are not so many.
-- Index: task_pkey, task_of_schedule, finished_task_pkey, finished_task_other, task_error_print, task_error_class,
-- schedule_name_key, schedule_fire_pkey, task_batch_member_pkey. No locks; passes over :max_looked entries of each part.
with wanted as materialized (
  select (select s.id from schedule s where s.name = :schedule::text) as schedule_id
)
select
  greatest(
    (select t.id
    from task t
    where cardinality(:waiting::text[]) > 0 and t.id < :before::uuid
    order by t.id desc
    offset :max_looked::integer limit 1),
    (select t.id
    from task t
    where cardinality(:runs::text[]) > 0
      and t.schedule_id is not null
      and (t.schedule_id, t.id) < ((select schedule_id from wanted), :before::uuid)
      and (t.schedule_id, t.id) >= ((select schedule_id from wanted), '00000000-0000-0000-0000-000000000000'::uuid)
    order by t.schedule_id desc, t.id desc
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
    limit 1),
    (select e.task_id
    from task_error e
    where cardinality(:failed::text[]) > 0
      and :fingerprint::text <> ''
      and e.fingerprint <> ''
      and (e.fingerprint, e.task_id) < (:fingerprint::text, :before::uuid)
      and (e.fingerprint, e.task_id) >= (:fingerprint::text, '00000000-0000-0000-0000-000000000000'::uuid)
    order by e.fingerprint desc, e.task_id desc
    offset :max_looked::integer limit 1),
    (select e.task_id
    from task_error e
    where cardinality(:failed::text[]) > 0
      and :fingerprint::text = ''
      and e.error_class <> ''
      and (e.error_class, e.task_id) < (:error_class::text, :before::uuid)
      and (e.error_class, e.task_id) >= (:error_class::text, '00000000-0000-0000-0000-000000000000'::uuid)
    order by e.error_class desc, e.task_id desc
    offset :max_looked::integer limit 1),
    (select m.task_id
    from task_batch_member m
    where cardinality(:members::text[]) > 0
      and (m.batch_id, m.task_id) < (:batch::uuid, :before::uuid)
      and (m.batch_id, m.task_id) >= (:batch::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
    order by m.batch_id desc, m.task_id desc
    offset :max_looked::integer limit 1)),
  (select r.fire_at
  from schedule_fire r
  where cardinality(:runs::text[]) > 0
    and (r.schedule_id, r.fire_at) < ((select schedule_id from wanted), :fired_before::bigint)
    and (r.schedule_id, r.fire_at) >= ((select schedule_id from wanted), (-9223372036854775808)::bigint)
  order by r.schedule_id desc, r.fire_at desc
  offset {most_runs} limit 1)
