-- Counts the tasks that run under each limited name anew. Index: task_held, in all that is held; key_limit_pkey, key_use_pkey. The
-- limits are locked alone; changes as many rows as names were counted wrong, or run for the first time.
with performed as materialized (
  select n.name, count(*)::integer as running
  from (
    select m.name
    from task t
    cross join lateral unnest(string_to_array(t.limits, ',')) m (name)
    where t.state in ('E', 'P') and t.state::text = 'P' and t.limits is not null
    -- so that the plan does not depend on how many there are
    order by m.name
    offset 0) n
  group by n.name
), counted as (
  insert into key_use (name, running)
  select n.name, n.running
  from performed n
  where exists ({limit_of_name})
  order by n.name
  on conflict (name) do update set running = excluded.running where key_use.running <> excluded.running
)
update key_use u
set running = 0
where u.running <> 0 and not exists (select from performed p where p.name = u.name)
