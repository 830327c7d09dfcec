-- Gives a message another due time and returns it to the waiting ones. The message stays with its holder while another
-- amendment of it is undecided, which came after the decided ones: on a waiting message nobody would decide it until the
-- message is due. Runs after the message was locked and the outcomes were noted, in a statement of its own. Index:
-- delayed_message_pkey and amendment_undecided, one probe each per decision. The row is locked already; one row, and run as
-- a batch.
update delayed_message m
set
  deadline = :due::bigint,
  readied_by = case when w.stays then m.readied_by end,
  readied_at = case when w.stays then m.readied_at end
from (
  select
    (select a.number from amendment a
      where a.route_id = :route::integer and a.message_id = :id::text and a.outcome is null
      limit 1) is not null as stays
  offset 0) w
where m.route_id = :route::integer and m.id = :id::text
