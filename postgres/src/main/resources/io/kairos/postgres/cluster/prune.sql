-- Removes rows in the places of periods :from_period to :to_period that are of an earlier hour: their nodes are gone. Index:
-- node_figures_pkey, by slots. Locks the rows that it removes and skips rows locked by peers; at most 720 rows per gone node.
delete from node_figures
where ctid = any (array(
  select f.ctid
  from node_figures f
  where f.slot = any ({slots}) and f.period < :from_period::bigint
  order by f.slot, f.node_id
  for update skip locked))
