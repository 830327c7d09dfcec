-- Removes endpoints of a pool whose lease ended :kept ago, or has ended when there are :most endpoints: the clock may have been
-- set, and nodes judge leases by their own time. Index: http_endpoint_pkey. At most 1,000 rows; under the lock of pool_lock.sql.
delete from http_endpoint
where pool = :name
  and lease_until
    <= (extract(epoch from clock_timestamp()) * 1000000)::bigint
      - case when (select count(*) from http_endpoint e where e.pool = :name) < :most::integer then :kept::bigint else 0 end
