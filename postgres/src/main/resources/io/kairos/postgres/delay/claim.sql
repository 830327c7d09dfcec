-- Claims messages that nobody holds and that may be claimed by :until, the earliest of all routes first, up to
-- :max_messages and :max_bytes of payload but at least one. Index: delayed_message_waiting, one ordered range per route,
-- then by ctid. Locks up to :max_messages rows per route and skips rows locked by peers; returns at most :max_messages.
with candidate as materialized (
  select c.*
  from unnest(:routes::integer[]) r (route_id)
  cross join lateral (
    select {candidate}, coalesce(m.deferred_until, m.deadline) as claimable_from
    from delayed_message m
    where m.route_id = r.route_id
      and m.readied_by is null
      and coalesce(m.deferred_until, m.deadline) <= :until::bigint
    order by coalesce(m.deferred_until, m.deadline)
    limit :max_messages::integer
    for update skip locked) c
), {measured}
update delayed_message m
set readied_by = :holder::uuid, readied_at = :stamp::bigint, deferred_until = null
{claimed}
