-- Writes the progress of schedules. Index: schedule_pkey, one probe per schedule; changes schedule_due. The rows are locked
-- already; as many as ids.
update schedule s
set
  status = n.status,
  note = n.note,
  since = n.since,
  decided_to = n.decided_to,
  next_at = n.next_at,
  put_off = s.put_off and n.time_zone_rules is null,
  time_zone_rules = coalesce(n.time_zone_rules, s.time_zone_rules),
  runs = n.runs,
  last_run = n.last_run::uuid
from unnest(
  :ids::uuid[], :statuses::text[], :notes::text[], :sinces::bigint[], :decided_tos::bigint[], :next_ats::bigint[],
  :runs::bigint[], :last_runs::text[], :time_zone_rules::text[])
  n (id, status, note, since, decided_to, next_at, runs, last_run, time_zone_rules)
where s.id = any (array[n.id])
