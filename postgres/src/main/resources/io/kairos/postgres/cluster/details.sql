-- The last minutes of nodes, as told at the end of period :from_period or later, without lives that have ended: a process
-- that lives on tells the same under its next life. Reads the table: a row per node. Index: node_pkey, one probe per row. No locks;
-- a row per node.
select
  d.node_id, d.period, d.handlers, d.begun, d.ended, d.failed, d.pools, d.endpoints, d.in_flight, d.ejecting, d.ejections,
  d.answers
from node_details d
where d.period >= :from_period::bigint
  and not exists (select 1 from node n where n.id = d.node_id and n.retired_at is not null)
