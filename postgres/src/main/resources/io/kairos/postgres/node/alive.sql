-- Nodes that are alive by the store's clock. Reads the whole table, which has a row per node. No locks.
select id
from node
where retired_at is null
  and renewed_at > clock_timestamp() - lapse
