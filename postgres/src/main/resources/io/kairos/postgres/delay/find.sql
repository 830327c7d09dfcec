-- A message, without its payload. Index: delayed_message_pkey. No locks; one row or none.
select m.deadline, m.output, m.readied_by is not null
from delayed_message m
where m.route_id = :route::integer and m.id = :id::text
