-- Those of these messages that still carry their fence. See parts.sql for the form of the conditions. Index:
-- delayed_message_pkey, one probe per message. Locks the rows in the order of the ids; as many rows as ids.
select m.id
from delayed_message m
where {fenced}
order by m.id
for update
