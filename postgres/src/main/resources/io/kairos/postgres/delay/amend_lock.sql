-- Those of these messages that are stored; true if an amendment may be carried out at once, because nobody holds the
-- message and no other amendment waits for it. Index: delayed_message_pkey. Locks the rows, in the order of the ids; as
-- many as ids.
select id, readied_by is null and not amended as free, maybe_fired
from delayed_message
where route_id = :route::integer and id = any (:ids::text[])
order by id
for update
