-- Returns overheld messages whose fence is unchanged to the waiting ones, marks them as maybe fired and returns their ids.
-- See parts.sql for the form of the conditions. Index: delayed_message_pkey, one probe per message. Locks the rows
-- in the order of the ids; as many rows as ids.
update delayed_message m
set readied_by = null, readied_at = null, maybe_fired = true
where {fenced}
returning m.id
