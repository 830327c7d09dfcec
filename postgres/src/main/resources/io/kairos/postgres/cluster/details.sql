-- What nodes have told of their last minute at the end of period :from_period or later. Reads the table: a row per node. No
-- locks; a row per node.
select
  d.node_id, d.period, d.handlers, d.begun, d.ended, d.failed, d.pools, d.endpoints, d.in_flight, d.ejecting, d.ejections,
  d.answers
from node_details d
where d.period >= :from_period::bigint
