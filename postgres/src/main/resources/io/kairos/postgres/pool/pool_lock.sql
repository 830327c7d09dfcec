-- Locks a pool until the transaction ends, and returns its kind and whether it has credentials. Index: http_pool_pkey. Locks one row or none.
select kind, tls is not null from http_pool where name = :name for update
