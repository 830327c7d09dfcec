-- Undecided amendments of messages that a node holds, in the order of their numbers. The first part finds numbers only,
-- so that payload is read for :limit rows at most. Index: delayed_message_amended, then amendment_undecided and
-- delayed_message_pkey. No locks; at most :limit rows.
with next as materialized (
  select a.number, a.kind, a.due_micros, m.route_id, m.id
  from delayed_message m
  cross join lateral (
    select u.number, u.kind, u.due_micros
    from amendment u
    where u.route_id = m.route_id and u.message_id = m.id and u.outcome is null) a
  where m.readied_by = :holder::uuid and m.amended
  order by a.number
  limit :max_amendments::integer
)
select
  m.route_id, m.id, m.deadline, m.output_topic, m.message_headers, m.message_key, m.message_value, m.amended,
  m.maybe_fired, m.readied_by, m.readied_at, n.number, n.kind, n.due_micros
from next n
cross join lateral (
  select * from delayed_message d
  where d.route_id = n.route_id and d.id = n.id and d.readied_by is not distinct from :holder::uuid) m
order by n.number
