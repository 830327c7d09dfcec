-- Enters a node as alive from now on, or again when the first answer was lost. Index: node_pkey. Locks its row; one row,
-- none when it has retired.
insert into node as n (id, enrolled_at, renewed_at, lapse, schema_known)
values (
  :node::uuid, clock_timestamp(), clock_timestamp(), :lapse_micros::bigint * interval '1 microsecond',
  :schema_known::integer)
on conflict (id) do update set renewed_at = clock_timestamp(), lapse = excluded.lapse where n.retired_at is null
returning renewed_at
