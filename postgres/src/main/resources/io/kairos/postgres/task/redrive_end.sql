-- The store's clock, and the id up to which a redrive searches: the one that is :max_looked above :after, by the fingerprint
-- or the class of the latest error where these are given, otherwise of each of these states, and the least of them. Null when
-- there are not so many. Index: finished_task_other, task_error_print, task_error_class. No locks; passes over :max_looked
-- entries of each state.
with {clock}
select
  (select micros from clock),
  least(
    (select o.id
    from unnest(:states::text[]) s (state)
    cross join lateral (
      select f.id
      from finished_task f
      where :fingerprint::text = ''
        and :error_class::text = ''
        and {ended_otherwise}
        and (f.state, f.id) <= (s.state::"char", 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
      order by f.state, f.id
      offset :max_looked::integer limit 1) o
    order by o.id
    limit 1),
    (select e.task_id
    from task_error e
    where :fingerprint::text <> ''
      and e.fingerprint <> ''
      and (e.fingerprint, e.task_id) > (:fingerprint::text, :after::uuid)
      and (e.fingerprint, e.task_id) <= (:fingerprint::text, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by e.fingerprint, e.task_id
    offset :max_looked::integer limit 1),
    (select e.task_id
    from task_error e
    where :fingerprint::text = ''
      and :error_class::text <> ''
      and e.error_class <> ''
      and (e.error_class, e.task_id) > (:error_class::text, :after::uuid)
      and (e.error_class, e.task_id) <= (:error_class::text, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by e.error_class, e.task_id
    offset :max_looked::integer limit 1))
