-- Declares a node dead unless it was renewed since :renewed_micros or has departed. Index: node_pkey. Locks its row; one
-- row or none.
update node
set retired_at = clock_timestamp(), suspected = true
where id = :node::uuid
  and retired_at is null
  and (extract(epoch from renewed_at) * 1000000)::bigint = :renewed_micros::bigint
