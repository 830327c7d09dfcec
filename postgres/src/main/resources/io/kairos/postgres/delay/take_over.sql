-- Moves messages that :from holds and that are due by :until to a new pair, and marks those that :from may have sent; the
-- earliest of all routes first, up to :max_messages and :max_bytes of payload but at least one.
-- Index: delayed_message_held, one ordered range per route, then by ctid. Locks up to :max_messages rows per route and skips rows locked by peers; returns at most :max_messages.
with candidate as materialized (
  select c.*
  from unnest(:routes::integer[]) r (route_id)
  cross join lateral (
    select
      m.ctid as place,
      m.route_id,
      m.id,
      m.deadline,
      octet_length(m.message_headers)
        + coalesce(octet_length(m.message_key), 0)
        + coalesce(octet_length(m.message_value), 0) as bytes
    from delayed_message m
    where m.route_id = r.route_id
      and m.readied_by = :from::uuid
      and m.deadline <= :until::bigint
    order by m.deadline
    limit :max_messages::integer
    for update skip locked) c
), measured as (
  select
    place,
    row_number() over earliest as nth,
    sum(bytes) over earliest as bytes_so_far
  from candidate
  window earliest as (order by deadline, route_id, id rows unbounded preceding)
)
update delayed_message m
set
  readied_by = :holder::uuid,
  readied_at = :stamp::bigint,
  maybe_fired = m.maybe_fired or m.deadline <= :maybe_fired_until::bigint
where m.ctid = any (array(
  select place from measured
  where nth = 1 or (nth <= :max_messages::integer and bytes_so_far <= :max_bytes::bigint)))
returning
  m.route_id, m.id, m.deadline, m.output, m.message_headers, m.message_key, m.message_value, m.amended,
  m.maybe_fired
