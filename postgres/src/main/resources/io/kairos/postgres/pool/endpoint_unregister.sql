-- Removes an endpoint; counts it only while its lease holds. Index: http_endpoint_pkey. One row or none.
with gone as (
  delete from http_endpoint where pool = :name and url = :url returning lease_until
)
select count(*) from gone where lease_until > (extract(epoch from clock_timestamp()) * 1000000)::bigint
