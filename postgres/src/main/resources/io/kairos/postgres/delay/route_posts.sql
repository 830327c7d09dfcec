-- States to which topics messages of a route may be posted, and whether these carry their id, for kairos_publish. Index:
-- route_name_key. Locks the route's row; one row, and none when nothing has changed.
update route
set posts_to = :topics::text[], relays_id = :relays_id::boolean
where name = :name::text
  and (posts_to, relays_id) is distinct from (:topics::text[], :relays_id::boolean)
