-- Ends the drain of the workers with this id. Index: worker_drained_pkey. Locks the rows that it removes; at most some.
delete from worker_drained
where worker = :worker::text
