-- Returns overheld messages whose fence is unchanged to the waiting ones, marks them as maybe fired and returns their ids.
-- See delete_fired.sql for the form of the conditions. Index: delayed_message_pkey, one probe per message. Locks the rows
-- in the order of the ids; as many rows as ids.
update delayed_message m
set readied_by = null, readied_at = null, maybe_fired = true
where m.route_id = :route::integer
  and m.id = any (:ids::text[])
  and m.readied_by is not distinct from :holder::uuid
  and ((m.id, m.readied_at) in (
    select f.id, f.readied_at from unnest(:ids::text[], :stamps::bigint[]) f (id, readied_at))) is true
returning m.id
