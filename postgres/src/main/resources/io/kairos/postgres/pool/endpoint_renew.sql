-- Renews the lease of an endpoint that has not ended; no row when there is no such lease, when the endpoints of the pool
-- are of another kind, or when the pool has credentials and the URL is not https. Indexes: http_endpoint_pkey,
-- http_pool_pkey. Locks that row and not its pool, so that workers do not wait for each other.
update http_endpoint e
set lease_until = (extract(epoch from clock_timestamp()) * 1000000)::bigint + :lease
where e.pool = :name
  and e.url = :url
  and e.lease_until > (extract(epoch from clock_timestamp()) * 1000000)::bigint
  and exists (
    select from http_pool p where p.name = :name and p.kind = :kind::"char" and (p.tls is null or :https)
  )
