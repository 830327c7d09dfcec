-- Nodes that have lapsed or retired. Reads the whole table, which has a row per node. No locks.
select id, retired_at is not null as retired
from node
where retired_at is not null
  or renewed_at <= clock_timestamp() - lapse
order by id
