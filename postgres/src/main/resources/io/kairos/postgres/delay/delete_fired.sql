-- Deletes fired messages that still carry their fence and have no undecided amendment: nearly always all of them. Index:
-- delayed_message_pkey, one probe per message. Locks the rows in the order of the ids; as many rows as ids.
delete from delayed_message m
where {fenced}
  and not m.amended
