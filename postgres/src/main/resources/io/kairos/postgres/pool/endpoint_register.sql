-- Adds an endpoint if there is room, or renews its lease; no row when there is no room. Index: http_endpoint_pkey. Reads
-- the pool's endpoints, at most 1,000; under the lock of pool_lock.sql.
insert into http_endpoint (pool, url, lease_until)
select :name, :url, (extract(epoch from clock_timestamp()) * 1000000)::bigint + :lease
where
  exists (select from http_endpoint e where e.pool = :name and e.url = :url)
  or (select count(*) from http_endpoint e where e.pool = :name) < :most
on conflict (pool, url) do update set lease_until = excluded.lease_until
