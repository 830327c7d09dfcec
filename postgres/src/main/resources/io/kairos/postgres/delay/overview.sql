-- How much is stored. The count is the statistics collector's, a second old and without a scan; after a crash of the
-- store, which loses it, the count of the last vacuum. Deferred messages count with their deferral.
-- Index: delayed_message_waiting, one probe per route, and amendment_undecided, all of it. No locks; one row.
select
  coalesce(
    (select case when s.n_live_tup = 0 and s.n_tup_ins = 0 then greatest(c.reltuples, 0)::bigint else s.n_live_tup end
      from pg_stat_user_tables s
      join pg_class c on c.oid = s.relid
      where s.relid = 'delayed_message'::regclass),
    0) as stored,
  (select min(w.claimable_from)
    from unnest(:routes::integer[]) r (route_id)
    cross join lateral (
      select coalesce(m.deferred_until, m.deadline) as claimable_from
      from delayed_message m
      where m.route_id = r.route_id and m.readied_by is null
      order by coalesce(m.deferred_until, m.deadline)
      limit 1) w) as oldest_waiting_micros,
  (select count(*) from amendment where outcome is null) as pending_amendments
