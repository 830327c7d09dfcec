-- Puts off a schedule that is as it was. Index: schedule_pkey. Waits for whoever is deciding it; one row or none.
update schedule
set next_at = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) + :delay_micros::bigint, put_off = true
where id = :id::uuid and generation = :generation::bigint and decided_to = :decided_to::bigint and next_at is not null
