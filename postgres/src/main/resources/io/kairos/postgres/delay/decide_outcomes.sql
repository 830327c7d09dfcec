-- Notes one outcome for amendments by number. "coalesce" keeps all indexes but the primary key out of the plan. Index:
-- amendment_pkey. Their messages are locked already; as many rows as numbers.
update amendment
set outcome = :outcome::text, decided_by = :decided_by::uuid, decided_at = clock_timestamp()
where number = any (:numbers::bigint[]) and coalesce(outcome, '') = ''
