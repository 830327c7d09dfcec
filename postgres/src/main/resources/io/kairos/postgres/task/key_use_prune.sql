-- Ends the use of those of these names that is as if they had never been used: nothing runs or waits, and the bucket is full. Index:
-- key_use_pkey, key_wait_line, key_limit_pkey. The limits are locked alone; at most as many rows as names.
with {clock}
delete from key_use u
where u.name = any (array(
  select n.name
  from unnest(:names::text[]) m (name)
  cross join lateral (select * from key_use k where k.name = m.name offset 0) n
  where {is_idle}))
