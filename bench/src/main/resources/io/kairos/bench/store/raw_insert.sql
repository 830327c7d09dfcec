-- Inserts a batch of held messages. Index: primary key and all others of the table. As many rows as the batch has.
insert into raw_loop (route_id, id, deadline, readied_at, readied_by, message_headers, message_key, message_value)
select 1, m.id, m.deadline, ?, ?, '', m.key, m.value
from unnest(?::text[], ?::bigint[], ?::bytea[], ?::bytea[]) m (id, deadline, key, value)
on conflict do nothing
