-- The store's clock. No locks; one row.
select (extract(epoch from clock_timestamp()) * 1000000)::bigint
