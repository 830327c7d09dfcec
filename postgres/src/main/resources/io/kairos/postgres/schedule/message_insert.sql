-- Stores the messages of schedules that fire, waiting like those of an input topic; a message whose id is stored already
-- stays as it is. Index: delayed_message_pkey; writes all. Waits for a transaction that is storing or deleting the same id;
-- as many rows as messages.
insert into delayed_message (route_id, id, deadline, message_headers, message_key, message_value, output)
select m.route_id, m.id, m.deadline, m.headers, m.key, m.value, m.output
from unnest(
  :routes::integer[], :ids::text[], :deadlines::bigint[], :headers::bytea[], :keys::bytea[], :values::bytea[], :outputs::text[])
  m (route_id, id, deadline, headers, key, value, output)
order by m.route_id, m.id
on conflict (route_id, id) do nothing
