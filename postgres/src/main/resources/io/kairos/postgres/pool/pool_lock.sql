-- Locks a pool until the transaction ends, and returns its kind. Index: http_pool_pkey. Locks one row or none.
select kind from http_pool where name = :name for update
