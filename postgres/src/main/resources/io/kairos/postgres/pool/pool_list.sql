-- Pools by name, or the one pool of a name, with the keys that sign now, the latest first, and the endpoints whose lease
-- has not ended by the store's clock and by :believed_micros. Indexes: http_pool_pkey, http_pool_key_of,
-- http_endpoint_pkey. No locks; at most :limit pools, with two keys and 1,000 endpoints each.
with clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros
)
select
  p.name, p.generation, p.kind, p.urls, p.routing, p.ejection_failures, p.ejection_pause, p.ejection_ramp_up, p.health_path,
  p.request_timeout, p.completion_timeout, p.answers_later, p.max_in_flight,
  k.secrets, k.created, k.retires, e.urls, p.tls, k.ids, k.encrypted_with
from http_pool p
cross join lateral (
  select
    array_agg(o.id order by o.id desc) as ids,
    array_agg(encode(o.secret, 'hex') order by o.id desc) as secrets,
    array_agg(coalesce(o.encrypted_with, '') order by o.id desc) as encrypted_with,
    array_agg(o.created_at order by o.id desc) as created,
    array_agg(coalesce(o.retires_at, 9223372036854775807) order by o.id desc) as retires
  from http_pool_key o
  where o.pool = p.name and (o.retires_at is null or o.retires_at > (select micros from clock))) k
cross join lateral (
  select coalesce(array_agg(o.url order by o.url), '{}') as urls
  from http_endpoint o
  where o.pool = p.name and o.lease_until > (select least(:believed_micros::bigint, micros) from clock)) e
where p.name > :after and (:name::text is null or p.name = :name)
order by p.name
limit :limit
