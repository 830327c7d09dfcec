-- Messages that were held and due at :since_micros, earliest due first, at most :max_per_holder of each holder. The
-- recursion goes from holder to holder, so that nodes without a row in node are found, too. Index: delayed_message_held,
-- one probe per holder and route, then the messages that are held and due that long. No locks; bounded by holders times
-- :max_per_holder.
with recursive holder (route_id, node_id) as (
  select
    r.route_id,
    (select m.readied_by from delayed_message m
      where m.route_id = r.route_id and m.readied_by is not null
      order by m.readied_by limit 1)
  from unnest(:routes::integer[]) r (route_id)
  union all
  select
    h.route_id,
    (select m.readied_by from delayed_message m
      where m.route_id = h.route_id and m.readied_by > h.node_id
      order by m.readied_by limit 1)
  from holder h
  where h.node_id is not null
), ranked as (
  select s.*, row_number() over (partition by s.readied_by order by s.deadline, s.route_id, s.id) as nth
  from holder h
  cross join lateral (
    select m.route_id, m.id, m.readied_by, m.readied_at, m.deadline
    from delayed_message m
    where m.route_id = h.route_id
      and m.readied_by = h.node_id
      and m.deadline <= :since_micros::bigint
      and m.readied_at <= :since_micros::bigint
    order by m.deadline
    limit :max_per_holder::integer) s
  where h.node_id is not null
)
select route_id, id, readied_by, readied_at
from ranked
where nth <= :max_per_holder::integer
order by deadline, route_id, id
