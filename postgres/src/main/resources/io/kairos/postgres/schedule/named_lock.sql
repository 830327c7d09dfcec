-- Locks those of some schedules that a replicated cron decides and whose time has come by :up_to, the longest due first,
-- and returns the sizes of their payloads and steps, like due_lock.sql. Index: schedule_replicated, one probe per name. Skips rows
-- locked by peers; at most :max_schedules.
select s.id, octet_length(s.payload) + coalesce(octet_length(s.steps) + octet_length(s.step_payloads), 0) as bytes
from schedule s
where s.name = any (:names::text[]) and s.decider = 'REPLICATED' and s.next_at <= :up_to::bigint
order by s.next_at
limit :max_schedules::integer
for update skip locked
