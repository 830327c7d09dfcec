-- Stores a new pool; no row when the name is taken or there are :most pools. Index: http_pool_pkey. Locks the row.
insert into http_pool (
  name,
  {definition})
select
  :name,
  {defined}
where (select count(*) from http_pool) < :most
on conflict (name) do nothing
