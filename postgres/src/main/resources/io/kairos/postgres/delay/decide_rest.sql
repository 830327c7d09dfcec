-- Gives every undecided amendment of these messages one outcome, because the messages are gone. Runs after they were
-- locked, in a statement of its own, and so sees all amendments that came before the lock. Index: amendment_undecided, one
-- probe per message. Their messages are locked already; as many rows as there are.
update amendment
set outcome = :outcome::text, decided_by = :decided_by::uuid, decided_at = clock_timestamp()
where route_id = :route::integer and message_id = any (:ids::text[]) and outcome is null
