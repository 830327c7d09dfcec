-- Resets suspects whose pair is unchanged to waiting, marks them as maybe fired and says which. Index: delayed_message_pkey, one probe per
-- suspect. Locks the rows in the order of route and id, sorted by the caller; as many rows as suspects.
update delayed_message m
set readied_by = null, readied_at = null, maybe_fired = true
from unnest(:routes::integer[], :ids::text[], :holders::uuid[], :stamps::bigint[]) f (route_id, id, readied_by, readied_at)
where m.route_id = f.route_id
  and m.id = f.id
  and m.readied_by is not distinct from f.readied_by
  and m.readied_at is not distinct from f.readied_at
returning f.route_id, f.id, f.readied_by, f.readied_at
