-- Removes nodes that departed longer than :grace_micros ago, hold no message and have told all outcomes. Scalar subqueries
-- in index order, not "exists": they stay index probes whatever the statistics say. Reads the whole table, a row per node.
-- Index: delayed_message_held and amendment_untold, one probe per departed node (and route). Locks the rows that it
-- removes.
delete from node n
where n.retired_at <= clock_timestamp() - :grace_micros::bigint * interval '1 microsecond'
  and (select 1
    from route r
    cross join lateral (
      select m.deadline from delayed_message m
      where m.route_id = r.id and m.readied_by = n.id
      order by m.deadline
      limit 1) held
    limit 1) is null
  and (select a.number from amendment a
    where a.decided_by >= n.id and a.decided_by <= n.id and a.outcome is not null and a.reply_partition is not null
    order by a.decided_by, a.route_id, a.number
    limit 1) is null
