-- Gives unclaimed messages other due times. See task/claim.sql for the form of the conditions. Index: delayed_message_pkey,
-- one probe per message. The rows are locked already; as many as ids.
update delayed_message m
set deadline = n.due, deferred_until = null
from (
  select :route::integer as route_id, u.id, u.due
  from unnest(:ids::text[], :dues::bigint[]) u (id, due)
  offset 0) n
where m.route_id = any (array[n.route_id]) and m.id = any (array[n.id])
