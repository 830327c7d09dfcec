-- Stores a batch of which no id is waiting or ready; otherwise fails with a unique violation (23505). That is tried first,
-- because looking for conflicts costs a second descent and a confirmation per row: a quarter of the statement. A message
-- with a stamp is held by :holder at once, one without waits. Arrays that would hold only nulls may be empty: unnest
-- fills up with nulls. Index: writes all. Waits for a transaction that is storing or deleting the same id; in the order of
-- the ids, sorted by the caller. As many rows as the batch has.
insert into delayed_message (
  route_id, id, deadline, readied_at, readied_by, message_headers, message_key, message_value, output)
select
  :route::integer,
  m.id,
  m.deadline,
  m.readied_at,
  case when m.readied_at is not null then :holder::uuid end,
  coalesce(m.headers, ''),
  m.key,
  m.value,
  m.output
from unnest(
  :ids::text[], :deadlines::bigint[], :stamps::bigint[], :headers::bytea[], :keys::bytea[], :values::bytea[], :outputs::text[])
  m (id, deadline, readied_at, headers, key, value, output)
