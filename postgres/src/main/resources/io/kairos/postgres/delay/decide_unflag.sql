-- Takes the mark from messages for which no amendment waits any more. Runs after they were locked, in a statement of its
-- own, and so sees all that came before the lock. Index: delayed_message_pkey and amendment_undecided, one probe each
-- per message. The rows are locked already; as many as messages.
update delayed_message m
set amended = false
from unnest(:routes::integer[], :ids::text[]) d (route_id, id)
where m.route_id = d.route_id
  and m.id = d.id
  and m.amended
  and (select a.number from amendment a
    where a.route_id = d.route_id and a.message_id = d.id and a.outcome is null limit 1) is null
