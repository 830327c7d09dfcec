-- Removes endpoints of a pool whose lease has ended. Index: http_endpoint_pkey. At most 1,000 rows; under the lock of pool_lock.sql.
delete from http_endpoint
where pool = :name and lease_until <= (extract(epoch from clock_timestamp()) * 1000000)::bigint
