-- Everything that carries exactly this pair. Index: delayed_message_held, all that the node holds on each route.
-- No locks; bounded by what one claim or one batch took.
select
  m.route_id, m.id, m.deadline, m.output, m.message_headers, m.message_key, m.message_value, m.amended,
  m.maybe_fired
from route r
cross join lateral (
  select *
  from delayed_message d
  where d.route_id = r.id and d.readied_by = :holder::uuid and d.readied_at = :stamp::bigint
  order by d.deadline) m
