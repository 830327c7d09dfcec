-- Forgets when workers asked for handlers: longer ago than :retention_micros, and the longest ago beyond :most. Reads the
-- whole table, which has few rows more than that. Locks the rows that it removes and skips rows locked by peers.
delete from handler_asked
where ctid = any (array(
  select a.ctid
  from handler_asked a
  where a.asked_at < (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :retention_micros::bigint
    or a.asked_at <= (select o.asked_at from handler_asked o order by o.asked_at desc offset :most::integer limit 1)
  for update skip locked))
