-- The workers that are given no more tasks. Reads all of the table, which is nearly always empty. No locks; a row per worker.
select worker, caller from worker_drained
