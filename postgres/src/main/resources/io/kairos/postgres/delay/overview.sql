-- Counts of stored messages and of undecided amendments, and the oldest waiting message. The count of messages is that of
-- the statistics collector, a second old and without a scan; after a crash of the store, which loses it, the count of the
-- last vacuum. The oldest is found among the 1,000 messages of each route that may be claimed first: exact unless more are
-- deferred. Undecided amendments are counted up to 100,000. Index: delayed_message_waiting, one ordered range per route,
-- and amendment_undecided in its order. No locks; one row.
select
  (select
      case
        when pg_stat_get_live_tuples(c.oid) = 0 and pg_stat_get_tuples_inserted(c.oid) = 0
          then greatest(c.reltuples, 0)::bigint
        else pg_stat_get_live_tuples(c.oid)
      end
    from pg_class c
    where c.oid = 'delayed_message'::regclass) as stored,
  (select min(w.deadline)
    from unnest(:routes::integer[]) r (route_id)
    cross join lateral (
      select m.deadline
      from delayed_message m
      where m.route_id = r.route_id and m.readied_by is null
      order by coalesce(m.deferred_until, m.deadline)
      limit 1000) w) as oldest_waiting_micros,
  (select count(*) from (
    select a.route_id from amendment a
    where a.outcome is null
    order by a.route_id, a.message_id
    limit 100000) u) as pending_amendments
