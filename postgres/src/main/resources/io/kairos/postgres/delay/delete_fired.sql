-- Deletes fired messages that still carry their pair and have no undecided amendment: nearly always all of them.
-- Index: delayed_message_pkey, one probe per message; the pair is compared with "is not distinct from" so that no other
-- index can be chosen, whatever the statistics say. Locks the rows in the order of route and id, sorted by the caller;
-- as many rows as messages.
delete from delayed_message m
using unnest(:routes::integer[], :ids::text[], :holders::uuid[], :stamps::bigint[]) f (route_id, id, readied_by, readied_at)
where m.route_id = f.route_id
  and m.id = f.id
  and m.readied_by is not distinct from f.readied_by
  and m.readied_at is not distinct from f.readied_at
  and not m.amended
