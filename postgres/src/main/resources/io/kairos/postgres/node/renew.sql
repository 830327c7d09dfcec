-- Renews a node's liveness unless it has departed. clock_timestamp() and not now(): the statement may have waited. Index:
-- node_pkey. Locks its row; one row or none.
update node
set renewed_at = clock_timestamp()
where id = :node::uuid and retired_at is null
returning renewed_at
