-- Puts off the next decision on a schedule that has not changed meanwhile. Index: schedule_pkey. Waits for a transaction
-- that is deciding on it; one row or none.
update schedule
set next_at = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) + :delay_micros::bigint, put_off = true
where id = :id::uuid and generation = :generation::bigint and decided_to = :decided_to::bigint and next_at is not null
