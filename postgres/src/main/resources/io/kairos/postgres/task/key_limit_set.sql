-- Sets the limit of a name or pattern. Index: key_limit_pkey. The limits are locked alone; one row.
insert into key_limit (pattern, max_running, rate, burst)
values (:pattern::text, :max_running::integer, :rate::double precision, :burst::integer)
on conflict (pattern) do update
set max_running = excluded.max_running, rate = excluded.rate, burst = excluded.burst
