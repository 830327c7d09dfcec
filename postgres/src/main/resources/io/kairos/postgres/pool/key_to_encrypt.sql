-- Keys whose secret is not encrypted with the key :first, from :after on. Index: http_pool_key_pkey. Locks at most :most rows; the
-- table has two rows for each of at most 1,000 pools.
select id, pool, secret, encrypted_with
from http_pool_key
where id > :after and encrypted_with is distinct from :first::text
order by id
limit :most
for update
