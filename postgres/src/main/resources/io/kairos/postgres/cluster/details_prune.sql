-- Removes what nodes have told of their last minute before period :from_period: they are gone, or have had nothing to tell.
-- Reads the table: a row per node. Locks the rows that it removes and skips rows locked by peers.
delete from node_details
where ctid = any (array(
  select d.ctid from node_details d where d.period < :from_period::bigint order by d.node_id for update skip locked))
