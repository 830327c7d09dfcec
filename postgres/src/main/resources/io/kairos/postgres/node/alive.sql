-- Nodes that have not departed, with their latest renewals. Reads the whole table, which has a row per node. No locks.
select id, renewed_at, (extract(epoch from lapse) * 1000000)::bigint
from node
where retired_at is null
