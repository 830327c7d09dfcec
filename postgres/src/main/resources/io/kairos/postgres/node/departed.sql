-- Nodes that have retired or were declared dead. Reads the whole table, which has a row per node. No locks.
select id, not suspected
from node
where retired_at is not null
order by id
