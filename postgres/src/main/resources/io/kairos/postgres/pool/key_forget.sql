-- Removes keys that retire or have retired. Index: http_pool_key_of. At most one row.
delete from http_pool_key where pool = :name and retires_at is not null
