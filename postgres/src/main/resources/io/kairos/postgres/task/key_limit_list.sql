-- Limits by key, with the names that were lately used under each, the tasks that run and those that wait, of a name up to :most.
-- Index: key_limit_pkey, key_use_pkey, key_wait_line. Looks for the limit of each used name. No locks; at most a thousand rows.
with used as materialized (
  select
    (select f.pattern from ({limit_of_name}) f) as pattern,
    n.running,
    (select count(*) from (
      select 1 from key_wait w where w.name = n.name and w.woken_at is null limit :most::integer) s) as waiting
  from key_use n
)
select
  l.pattern, l.max_running, l.rate, l.burst, coalesce(u.running, 0), least(coalesce(u.waiting, 0), :most::integer),
  coalesce(u.names, 0)
from key_limit l
left join (
  select pattern, sum(running) as running, sum(waiting) as waiting, count(*) as names from used group by pattern) u
  on u.pattern = l.pattern
order by l.pattern
