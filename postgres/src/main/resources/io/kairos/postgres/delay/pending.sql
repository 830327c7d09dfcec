-- Those of these ids that are stored. Index: delayed_message_pkey. No locks; at most as many rows as ids.
select id from delayed_message where route_id = :route::integer and id = any (:ids::text[])
