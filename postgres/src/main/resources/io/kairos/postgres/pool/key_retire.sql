-- Makes the key that stays retire after the overlap. Index: http_pool_key_stays. One row.
update http_pool_key
set retires_at = (extract(epoch from clock_timestamp()) * 1000000)::bigint + :overlap
where pool = :name and retires_at is null
