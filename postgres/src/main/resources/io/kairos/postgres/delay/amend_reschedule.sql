-- Gives unclaimed messages other due times. Index: delayed_message_pkey, one probe per message. The rows are locked already;
-- as many as ids.
update delayed_message m
set deadline = n.due, deferred_until = null
from unnest(:ids::text[], :dues::bigint[]) n (id, due)
where m.route_id = :route::integer and m.id = any (array[n.id])
