-- Marks messages whose amendment waits for their holder. Index: delayed_message_pkey. The rows are locked already; as many
-- as ids.
update delayed_message
set amended = true
where route_id = :route::integer and id = any (:ids::text[]) and not amended
