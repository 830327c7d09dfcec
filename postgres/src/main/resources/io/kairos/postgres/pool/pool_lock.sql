-- Keeps a pool as it is until the transaction ends. Index: http_pool_pkey. Locks one row or none; gives its kind.
select kind from http_pool where name = :name for update
