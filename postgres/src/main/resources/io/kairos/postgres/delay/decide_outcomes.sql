-- Notes one outcome for amendments by number. "coalesce" keeps every index but the primary key's out of it.
-- Index: amendment_pkey. Their messages are locked already; as many rows as numbers.
update amendment
set outcome = :outcome::text, decided_by = :decided_by::uuid, decided_at = clock_timestamp()
where number = any (:numbers::bigint[]) and coalesce(outcome, '') = ''
