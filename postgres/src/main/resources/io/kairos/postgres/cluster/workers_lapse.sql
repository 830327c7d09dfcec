-- Counts lapsed leases of workers. Index: worker_seen_pkey. Locks the rows that it changes, first and in the order of their keys, as
-- workers_see does; at most some per entry of :workers.
with locked as materialized (
  select 1
  from worker_seen w
  where w.worker = any (:workers::text[])
  order by w.worker, w.caller
  for no key update)
update worker_seen w
set lapsed = w.lapsed + (:leases::bigint[])[array_position(:workers::text[], w.worker::text)]
where w.worker = any (:workers::text[])
  and (select count(*) from locked) is not null
