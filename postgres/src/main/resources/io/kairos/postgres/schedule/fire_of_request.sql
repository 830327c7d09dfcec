-- The decisions of a request, the earliest fire time first. Index: schedule_fire_request. No locks; at most as many rows as
-- can be asked for at once.
select
  f.fire_at, f.request, f.until, f.count, f.decision, f.reason, f.cause, f.decided_at, f.run_at, f.run
from schedule_fire f
where f.schedule_id = :schedule_id::uuid and f.request = :request::text and f.request <> ''
order by f.schedule_id, f.request, f.fire_at
