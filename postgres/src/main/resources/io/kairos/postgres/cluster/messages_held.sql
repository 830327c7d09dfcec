-- Counts messages that nodes hold, by the cells of their deadlines, up to :most. Index: delayed_message_held, all of a route,
-- because nodes bound what they hold. No locks; a row per cell.
select {cell} as cell, count(*)
from (
  select m.at
  from route r
  cross join lateral (
    select h.deadline as at
    from delayed_message h
    where h.route_id = r.id and h.readied_by is not null
    order by h.readied_by, h.deadline
    limit :most::integer) m
  limit :most::integer) w
group by 1
