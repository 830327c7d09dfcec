-- Carries out decisions to reschedule: the holder keeps the message or gives it back as waiting. It keeps it in any case
-- while another amendment is undecided, which came after the decided ones: on a waiting message nobody would decide it
-- until the message is due. Runs after the message was locked and the outcomes were noted, in a statement of its own.
-- Index: delayed_message_pkey and amendment_undecided, one probe each per decision. The rows are locked already; one per
-- decision.
update delayed_message m
set
  deadline = d.due_micros,
  readied_by = case when d.keep_claim = 1 or d.undecided is not null then m.readied_by end,
  readied_at = case when d.keep_claim = 1 or d.undecided is not null then m.readied_at end
from (
  select
    w.*,
    (select a.number from amendment a
      where a.route_id = w.route_id and a.message_id = w.id and a.outcome is null limit 1) as undecided
  from unnest(:routes::integer[], :ids::text[], :dues::bigint[], :keep_claims::integer[])
    w (route_id, id, due_micros, keep_claim)) d
where m.route_id = d.route_id and m.id = d.id
