-- Removes an endpoint; true when its lease held. Index: http_endpoint_pkey. One row.
with gone as (
  delete from http_endpoint where pool = :name and url = :url returning lease_until
)
select count(*) > 0 from gone where lease_until > (extract(epoch from clock_timestamp()) * 1000000)::bigint
