-- Undecided amendments of messages that a node holds, in the order of their numbers. The first two parts find numbers only,
-- so that payload is read for :max_amendments rows at most; "offset 0" keeps each look-up inside its loop. Index:
-- delayed_message_amended, then amendment_undecided and delayed_message_pkey. No locks; at most :max_amendments.
with amended as materialized (
  select m.route_id, m.id from delayed_message m where m.readied_by = :holder::uuid and m.amended
), next as materialized (
  select a.number, a.due_micros, w.route_id, w.id
  from amended w
  cross join lateral (
    select u.number, u.due_micros
    from amendment u
    where u.route_id = w.route_id and u.message_id = w.id and u.outcome is null
    offset 0) a
  order by a.number
  limit :max_amendments::integer
)
select
  {message}, m.readied_by, m.readied_at, n.number, n.due_micros
from next n
cross join lateral (
  select * from delayed_message d
  where d.route_id = n.route_id and d.id = n.id and d.readied_by is not distinct from :holder::uuid
  offset 0) m
order by n.number
