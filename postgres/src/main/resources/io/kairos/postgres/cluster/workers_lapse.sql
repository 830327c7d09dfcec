-- Counts lapsed leases of workers. Index: worker_seen_pkey, in its order. Locks the rows that it changes; at most some per entry
-- of :workers.
update worker_seen w
set lapsed = w.lapsed + (:leases::bigint[])[array_position(:workers::text[], w.worker::text)]
where w.worker = any (:workers::text[])
