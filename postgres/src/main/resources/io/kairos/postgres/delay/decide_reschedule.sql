-- Gives messages other due times and returns them to the waiting ones. A message stays with its holder while another
-- amendment of it is undecided, which came after the decided ones: on a waiting message nobody would decide it until the
-- message is due. Runs after the messages were locked and the outcomes were noted, in a statement of its own. Index:
-- delayed_message_pkey and amendment_undecided, one probe each per message. The rows are locked already; as many as ids.
update delayed_message m
set
  deadline = w.due,
  readied_by = case when w.stays then m.readied_by end,
  readied_at = case when w.stays then m.readied_at end
from (
  select
    :route::integer as route_id,
    n.id,
    n.due,
    (select a.number from amendment a
      where a.route_id = :route::integer and a.message_id = n.id and a.outcome is null
      limit 1) is not null as stays
  from unnest(:ids::text[], :dues::bigint[]) n (id, due)
  offset 0) w
where m.route_id = any (array[w.route_id]) and m.id = any (array[w.id])
