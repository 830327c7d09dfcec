-- Deletes fired messages that still carry their fence and have no undecided amendment: nearly always all of them. One route
-- and holder; the stamps are looked up by id in a hash ("is true" keeps that from becoming a join, which could be run the
-- wrong way round), and the holder is compared so that no index but the primary key's fits: the plan is the same whatever
-- the statistics say. Index: delayed_message_pkey, one probe per message. Locks the rows in the order of the ids; as many
-- rows as ids.
delete from delayed_message m
where m.route_id = :route::integer
  and m.id = any (:ids::text[])
  and m.readied_by is not distinct from :holder::uuid
  and not m.amended
  and ((m.id, m.readied_at) in (
    select f.id, f.readied_at from unnest(:ids::text[], :stamps::bigint[]) f (id, readied_at))) is true
