-- The number of pools. Reads all of http_pool, which has at most 1,000 rows. No locks.
select count(*) from http_pool
