-- Notes outcomes by number. Index: amendment_pkey. Their messages are locked already; one row per outcome.
update amendment a
set outcome = o.outcome, decided_by = :decided_by::uuid, decided_at = clock_timestamp()
from unnest(:numbers::bigint[], :outcomes::text[]) o (number, outcome)
where a.number = o.number and a.outcome is null
