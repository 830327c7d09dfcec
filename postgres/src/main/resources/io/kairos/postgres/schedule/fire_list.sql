-- Decisions on the fire times of a schedule, the latest first, from a time on and before a place in that list; an empty array for
-- all. Index: schedule_fire_pkey, backwards. No locks; at most :max_fires rows, and as many looked at as were skipped between
-- those that fired when only these are wanted.
select
  f.fire_at, f.request, f.until, f.count, f.decision, f.reason, f.cause, f.decided_at, f.run_at, f.run
from schedule_fire f
where f.schedule_id = :schedule_id::uuid
  and f.fire_at >= :from_at::bigint
  and (f.fire_at, f.request) < (:before_at::bigint, :before_request::text)
  and (cardinality(:decisions::text[]) = 0 or f.decision = any (:decisions::text[]))
order by f.schedule_id desc, f.fire_at desc, f.request desc
limit :max_fires::integer
