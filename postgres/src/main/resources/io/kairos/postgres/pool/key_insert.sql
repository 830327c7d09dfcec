-- Adds the key that stays, and returns its id. Index: http_pool_key_stays, which refuses a second one. One row.
insert into http_pool_key (pool, secret, created_at)
values (:name, :secret, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
returning id
