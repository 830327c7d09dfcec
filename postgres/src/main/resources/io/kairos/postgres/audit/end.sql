-- Notes the outcomes of calls whose entries have none yet. Index: audit_entry_pkey, one probe per call. Locks the rows in
-- the order of the numbers, sorted by the caller; as many rows as calls. Only the node that wrote an entry ends it.
update audit_entry a
set outcome = n.outcome
from unnest(:ids::bigint[], :outcomes::text[]) n (id, outcome)
where a.id = any (array[n.id]) and a.outcome = 'BEGUN'
