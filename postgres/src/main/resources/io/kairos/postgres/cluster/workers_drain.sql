-- Begins the drain of the workers with this id that are known. Index: worker_seen_pkey. Locks the rows that it adds; at most some.
insert into worker_drained (worker, caller, seen_at)
select w.worker, w.caller, clock_timestamp()
from worker_seen w
where w.worker = :worker::text
order by w.caller
on conflict (worker, caller) do nothing
