-- Notes the runs for which the next ones of their schedules wait; null for none. Index: schedule_pkey, one probe per schedule. The
-- rows are locked already; as many as ids.
update schedule s
set turn = n.turn::uuid
from unnest(:ids::uuid[], :turns::text[]) n (id, turn)
where s.id = any (array[n.id])
