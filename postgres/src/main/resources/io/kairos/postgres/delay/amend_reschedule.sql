-- Gives an unclaimed message another due time. Index: delayed_message_pkey. The row is locked already; one row, and run
-- as a batch.
update delayed_message
set deadline = :due::bigint, deferred_until = null
where route_id = :route::integer and id = :id::text
