-- Notes that workers were heard of, in the order of their keys. A worker of which a node has told within :every_micros is left
-- as it is, unless it says something else of itself: however many nodes it asks, its row is written once in that time. New
-- ones only while there are fewer than :most. No column of an index changes. Index: worker_seen_pkey, one probe each, and for new
-- ones all of it up to :most. Locks the rows that it writes; at most as many as :workers has.
insert into worker_seen as w (worker, caller, host, version, slots, handlers, since, seen_at, lapsed)
select
  s.worker,
  s.caller,
  coalesce(s.host, k.host),
  coalesce(s.version, k.version),
  coalesce(s.slots::integer, k.slots),
  coalesce(s.handlers, k.handlers),
  statement_timestamp(),
  statement_timestamp(),
  0
from unnest(:workers::text[], :callers::text[], :hosts::text[], :versions::text[], :slots::bigint[], :handlers::text[])
  s (worker, caller, host, version, slots, handlers)
left join lateral (select * from worker_seen x where x.worker = s.worker and x.caller = s.caller offset 0) k on true
where case
  when k.worker is null then
    s.host is not null and (select count(*) from (select 1 from worker_seen limit :most::integer) o) < :most::integer
  else
    k.seen_at < clock_timestamp() - :every_micros::bigint * interval '1 microsecond'
    or s.host <> k.host or s.version <> k.version or s.slots <> k.slots or s.handlers <> k.handlers
end
order by s.worker collate "C", s.caller collate "C"
on conflict (worker, caller) do update set
  host = excluded.host,
  version = excluded.version,
  slots = excluded.slots,
  handlers = excluded.handlers,
  seen_at = excluded.seen_at
