-- Ends the use of names that is as if they had never been used: nothing runs or waits, and the bucket is full. Reads key_use.
-- Index: key_wait_line, key_limit_pkey. The limits are locked alone; at most :max_names rows.
with {clock}
delete from key_use u
where u.ctid = any (array(
  select n.ctid
  from key_use n
  left join lateral ({limit_of_name}) f on true
  where n.running = 0
    and (f.rate is null or n.tokens is null
      or n.tokens + f.rate * ((select micros from clock) - n.tokens_at) / 1000000 >= coalesce(f.burst, ceil(f.rate)))
    and not exists (select from key_wait w where w.name = n.name)
  limit :max_names::integer))
