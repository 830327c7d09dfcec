-- Which of these messages still carry their pair, by their place in the arrays. Index: delayed_message_pkey, one probe
-- per message. Locks the rows in the order of route and id, sorted by the caller; as many rows as messages.
select f.nth
from unnest(:routes::integer[], :ids::text[], :holders::uuid[], :stamps::bigint[])
  with ordinality f (route_id, id, readied_by, readied_at, nth)
join delayed_message m
  on m.route_id = f.route_id
  and m.id = f.id
  and m.readied_by is not distinct from f.readied_by
  and m.readied_at is not distinct from f.readied_at
order by f.nth
for update of m
