-- Deletes fired messages that still carry their fence and returns them; run when delete_fired.sql found some missing or
-- amended. See delete_fired.sql for the form of the conditions. Index: delayed_message_pkey, one probe per message. Locks
-- the rows in the order of the ids; as many rows as ids.
delete from delayed_message m
where m.route_id = :route::integer
  and m.id = any (:ids::text[])
  and m.readied_by is not distinct from :holder::uuid
  and ((m.id, m.readied_at) in (
    select f.id, f.readied_at from unnest(:ids::text[], :stamps::bigint[]) f (id, readied_at))) is true
returning m.id, m.amended
