-- How many tasks ended within a time in these states, of successes and of each other state up to one more than :max_looked.
-- Index: finished_task_success_age, finished_task_other_age. No locks; passes over so many entries.
select
  (select count(*)
  from (
    select 1
    from finished_task f
    where :succeeded::boolean
      and f.state = 'S'
      and f.finished_at >= :ended_from::bigint
      and f.finished_at < :ended_to::bigint
    limit :max_looked::integer + 1) s)
  + (select count(*)
  from unnest(:other_ends::text[]) e (state)
  cross join lateral (
    select 1
    from finished_task f
    where f.state <> 'S'
      and f.state::text = e.state
      and f.finished_at >= :ended_from::bigint
      and f.finished_at < :ended_to::bigint
    limit :max_looked::integer + 1) o)
