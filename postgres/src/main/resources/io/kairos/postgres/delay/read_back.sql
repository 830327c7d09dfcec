-- The messages that carry exactly this fence. Index: delayed_message_held, all that the node holds on each route. No locks;
-- bounded by what one claim or one batch took.
select
  {message}
from route r
cross join lateral (
  select *
  from delayed_message d
  where d.route_id = r.id and d.readied_by = :holder::uuid and d.readied_at = :stamp::bigint
  order by d.deadline) m
