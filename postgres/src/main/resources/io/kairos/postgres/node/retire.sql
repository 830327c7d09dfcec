-- Ends a node's liveness. Index: node_pkey. Locks its row; one row or none.
update node set retired_at = clock_timestamp() where id = :node::uuid and retired_at is null
