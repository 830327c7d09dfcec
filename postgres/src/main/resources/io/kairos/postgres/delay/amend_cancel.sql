-- Deletes cancelled messages. Index: delayed_message_pkey. The rows are locked already; as many as ids.
delete from delayed_message where route_id = :route::integer and id = any (:ids::text[])
