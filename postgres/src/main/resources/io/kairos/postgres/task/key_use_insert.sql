-- Begins the use of names that have a limit. Index: key_limit_pkey, at worst of all limits, a thousand; key_use_pkey, one probe per
-- name. Waits for peers that begin the use of the same names, in the order of the names, sorted by the caller; at most as many rows
-- as names.
insert into key_use (name)
select n.name
from unnest(:names::text[]) n (name)
where not exists (select from key_use u where u.name = n.name offset 0) and exists (select from ({limit_of_name}) f offset 0)
on conflict do nothing
