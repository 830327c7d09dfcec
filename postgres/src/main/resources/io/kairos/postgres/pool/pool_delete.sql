-- Removes a pool with its keys and endpoints, which go by their foreign keys. Index: http_pool_pkey. One row or none.
delete from http_pool where name = :name
