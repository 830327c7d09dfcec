-- Locks schedules that nodes decide and whose time has come, the longest due first, and returns the sizes of their
-- payloads and steps. The content is read afterwards, by a statement that sees the changes of earlier holders of the lock. Index:
-- schedule_due. Skips rows locked by peers; at most :max_schedules.
select s.id, octet_length(s.payload) + coalesce(octet_length(s.steps) + octet_length(s.step_payloads), 0) as bytes
from schedule s
where s.next_at <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) and s.decider = 'NODE'
order by s.next_at
limit :max_schedules::integer
for update skip locked
