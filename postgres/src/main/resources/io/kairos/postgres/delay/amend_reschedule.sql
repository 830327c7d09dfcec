-- Gives unclaimed messages another due time. Index: delayed_message_pkey. The rows are locked already; as many as ids.
update delayed_message m
set deadline = r.due_micros, deferred_until = null
from unnest(:routes::integer[], :ids::text[], :dues::bigint[]) r (route_id, id, due_micros)
where m.route_id = r.route_id and m.id = r.id
