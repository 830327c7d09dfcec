-- Writes a definition that was read under the lock of pool_lock.sql. Index: http_pool_pkey. One row.
update http_pool
set (
  {definition}) = row(
  {defined})
where name = :name
