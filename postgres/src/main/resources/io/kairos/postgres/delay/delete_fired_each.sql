-- Deletes fired messages that still carry their fence and returns them; run when delete_fired.sql found some missing or
-- amended. See parts.sql for the form of the conditions. Index: delayed_message_pkey, one probe per message. Locks
-- the rows in the order of the ids; as many rows as ids.
delete from delayed_message m
where {fenced}
returning m.id, m.amended
