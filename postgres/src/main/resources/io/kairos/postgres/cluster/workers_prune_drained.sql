-- Removes drains of workers that were not heard of for :kept_micros. Reads all of the table, which is nearly always empty. Locks the
-- rows that it removes.
delete from worker_drained
where seen_at < clock_timestamp() - :kept_micros::bigint * interval '1 microsecond'
