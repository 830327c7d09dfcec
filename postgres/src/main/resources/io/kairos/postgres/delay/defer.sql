-- Returns held messages that still carry their fence to the waiting ones, not to be claimed before :until (nor before they
-- are due), and marks those of :marked as maybe fired. See parts.sql for the form of the conditions. Index:
-- delayed_message_pkey, one probe per message. Locks the rows in the order of the ids; as many rows as ids.
update delayed_message m
set
  readied_by = null,
  readied_at = null,
  maybe_fired = m.maybe_fired or m.id = any (:marked::text[]),
  deferred_until = case when :until::bigint > m.deadline then :until::bigint end
where {fenced}
