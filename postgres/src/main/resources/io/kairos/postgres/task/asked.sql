-- Notes that workers ask for tasks of these handlers, unless that was noted within the last :fresh_micros. Index:
-- handler_asked_pkey. Locks rows in the order of the names, sorted by the caller; one row per handler.
insert into handler_asked (handler, asked_at)
select h.handler, clock.micros
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
cross join unnest(:handlers::text[]) h (handler)
on conflict (handler) do update
set asked_at = excluded.asked_at
where handler_asked.asked_at < excluded.asked_at - :fresh_micros::bigint
