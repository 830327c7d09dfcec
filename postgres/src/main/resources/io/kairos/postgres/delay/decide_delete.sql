-- Carries out decisions to cancel. Index: delayed_message_pkey. The rows are locked already; one per decision.
delete from delayed_message m
using unnest(:routes::integer[], :ids::text[]) d (route_id, id)
where m.route_id = d.route_id and m.id = d.id
