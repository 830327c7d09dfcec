-- Limits by key, or just that of :pattern, with the names that were lately used under each, the tasks that run and those that wait.
-- Looks at the first :most names that begin so, and counts up to :most tasks that wait. Index: key_limit_pkey, all limits for each;
-- key_use_pkey, a range for each limit; key_wait_line, a probe for each name. No locks; at most a thousand rows.
select
  l.pattern, l.max_running, l.rate, l.burst, coalesce(u.running, 0), least(coalesce(u.waiting, 0), :most::integer),
  coalesce(u.names, 0)
from key_limit l
cross join lateral ({narrower_limits}) p
left join lateral (
  select sum(n.running) as running, sum(w.waiting) as waiting, count(*) as names
  from (
    select k.name, k.running from key_use k
    where k.name >= p.first and k.name <= p.last
    order by k.name
    limit :most::integer) n
  cross join lateral (
    select count(*) as waiting
    from (select 1 from key_wait k where k.name = n.name and k.woken_at is null limit :most::integer) s) w
  where n.name = l.pattern
    or (
      not exists (select from key_limit m where m.pattern = n.name)
      and not exists (select from unnest(p.narrower) b (beginning) where starts_with(n.name, b.beginning)))) u on true
where :pattern::text is null or l.pattern = :pattern::text
order by l.pattern
