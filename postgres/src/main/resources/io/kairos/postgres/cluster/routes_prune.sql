-- Removes what was told of routes before period :from_period, by nodes that are gone. Reads the whole table, which has a row
-- per node and route. Locks the rows that it removes and skips rows locked by peers.
delete from route_figures
where ctid = any (array(
  select f.ctid
  from route_figures f
  where f.period < :from_period::bigint
  for update skip locked))
