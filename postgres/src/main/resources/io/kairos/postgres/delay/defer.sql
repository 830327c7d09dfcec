-- Gives held messages that still carry their pair back as waiting, not to be claimed before :until (nor before they are
-- due). Index: delayed_message_pkey, one probe per message. Locks the rows in the order of route and id, sorted by the
-- caller; as many rows as messages.
update delayed_message m
set
  readied_by = null,
  readied_at = null,
  deferred_until = case when :until::bigint > m.deadline then :until::bigint end
from unnest(:routes::integer[], :ids::text[], :holders::uuid[], :stamps::bigint[]) f (route_id, id, readied_by, readied_at)
where m.route_id = f.route_id
  and m.id = f.id
  and m.readied_by is not distinct from f.readied_by
  and m.readied_at is not distinct from f.readied_at
