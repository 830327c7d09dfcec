-- Notes decisions in the ledger, and returns those that are new. Index: schedule_fire_pkey; writes all. As many rows as
-- decisions.
insert into schedule_fire (
  schedule_id, fire_at, request, until, count, decision, reason, cause, decided_at, run_at, run)
select
  n.schedule_id, n.fire_at, n.request, n.until, n.count, n.decision, n.reason, n.cause, n.decided_at, n.run_at, n.run::uuid
from unnest(
  :schedule_ids::uuid[], :fire_ats::bigint[], :requests::text[], :untils::bigint[], :counts::bigint[], :decisions::text[],
  :reasons::text[], :causes::text[], :decided_ats::bigint[], :run_ats::bigint[], :runs::text[])
  n (schedule_id, fire_at, request, until, count, decision, reason, cause, decided_at, run_at, run)
on conflict (schedule_id, fire_at, request) do nothing
returning schedule_id, fire_at, request
