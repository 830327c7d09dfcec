-- Decisions of some reasons on the fire times of a schedule, the latest first, from a time on and before a place in that list.
-- Index: schedule_fire_skipped, backwards, one range for each reason, however many there are of others; compared as rows, so that
-- no other index has the order. No locks; at most :max_fires rows, and as many looked at for each reason.
select
  f.fire_at, f.request, f.until, f.count, f.decision, f.reason, f.cause, f.decided_at, f.run_at, f.run
from unnest(:reasons::text[]) n (reason)
cross join lateral (
  select *
  from schedule_fire p
  where p.schedule_id = :schedule_id::uuid
    and p.reason is not null
    and (p.reason, p.fire_at, p.request) >= (n.reason, :from_at::bigint, '')
    and (p.reason, p.fire_at, p.request) < (n.reason, :before_at::bigint, :before_request::text)
  order by p.schedule_id desc, p.reason desc, p.fire_at desc, p.request desc
  limit :max_fires::integer
) f
order by f.fire_at desc, f.request desc
limit :max_fires::integer
