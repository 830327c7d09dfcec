-- Notes the last runs of several tasks of schedules, for which the next runs wait by edges; null for none. Index: schedule_pkey, one probe per schedule. The
-- rows are locked already; as many as ids.
update schedule s
set turn = n.turn::uuid
from unnest(:ids::uuid[], :turns::text[]) n (id, turn)
where s.id = any (array[n.id])
