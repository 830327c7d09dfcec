-- Writes the states of keys. Index: task_key_pkey, one probe per key. The rows are locked already; as many as ids.
update task_key k
set occupied = n.occupied, head = n.head, blocked_by = n.blocked_by, tokens = n.tokens, tokens_at = n.tokens_at
from unnest(
  :ids::bigint[], :occupieds::integer[], :heads::text[], :blockers::text[], :tokens::double precision[],
  :tokens_ats::bigint[]) m (id, occupied, head, blocked_by, tokens, tokens_at)
cross join lateral (
  select m.occupied, m.head::uuid, m.blocked_by::uuid, m.tokens, m.tokens_at offset 0)
  n (occupied, head, blocked_by, tokens, tokens_at)
where k.id = any (array[m.id])
