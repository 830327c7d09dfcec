-- Takes the mark from messages for which no amendment waits any more. Runs after they were locked, in a statement of its
-- own, and so sees all amendments that came before the lock. "coalesce" keeps all indexes but the primary key out of the
-- plan. Index: delayed_message_pkey and amendment_undecided, one probe each per message. The rows are locked already; as
-- many as ids.
update delayed_message m
set amended = false
where m.route_id = :route::integer
  and m.id = any (:ids::text[])
  and coalesce(m.amended, false)
  and (select a.number from amendment a
    where a.route_id = m.route_id and a.message_id = m.id and a.outcome is null
    limit 1) is null
