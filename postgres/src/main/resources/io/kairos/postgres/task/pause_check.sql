-- A pause: true when it is over, its mode and its note; no row when it is gone. Index: task_pause_pkey. Locks the row until
-- the end of the transaction, so that one node follows it up and nobody lifts it meanwhile; claims and enqueueing go on.
select g.until is not null and g.until <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint), g.mode, g.note
from task_pause g
where g.handler = :handler::text and g.collection = :collection::text
for no key update
