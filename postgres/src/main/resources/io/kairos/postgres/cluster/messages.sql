-- Counts messages that may be claimed from :from_micros to before :to_micros, by cell, up to :most together. Index:
-- delayed_message_waiting, an ordered range per route. No locks; a row per cell.
select {cell} as cell, count(*)
from (
  select m.at
  from route r
  cross join lateral (
    select coalesce(u.deferred_until, u.deadline) as at
    from delayed_message u
    where u.route_id = r.id
      and u.readied_by is null
      and coalesce(u.deferred_until, u.deadline) >= :from_micros::bigint
      and coalesce(u.deferred_until, u.deadline) < :to_micros::bigint
    order by coalesce(u.deferred_until, u.deadline)
    limit :most::integer) m
  limit :most::integer) w
group by 1
