-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it, what it locks and how many rows it has.

-- Stores the rows of an intake batch, in the order of the arrays.
{batch_stored}:
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

-- The place of a candidate for a claim, and the size of its payload.
{candidate}:
m.ctid as place,
m.route_id,
m.id,
octet_length(m.message_headers)
  + coalesce(octet_length(m.message_key), 0)
  + coalesce(octet_length(m.message_value), 0) as bytes

-- Numbers the candidates for a claim, the earliest first, and sums up their bytes.
{measured}:
measured as (
  select
    place,
    row_number() over earliest as nth,
    sum(bytes) over earliest as bytes_so_far
  from candidate
  window earliest as (order by claimable_from, route_id, id rows unbounded preceding)
)

-- As many candidates as the claim has room for, but at least one; returned as MessageRows reads them.
{claimed}:
where m.ctid = any (array(
  select place from measured
  where nth = 1 or (nth <= :max_messages::integer and bytes_so_far <= :max_bytes::bigint)))
returning
  {message}

-- A message as MessageRows reads it.
{message}:
m.route_id, m.id, m.deadline, m.output, m.message_headers, m.message_key, m.message_value, m.amended,
m.maybe_fired

-- Messages m of one route and holder that still carry their fence. The stamps are looked up by id in a hash ("is true" keeps
-- that from becoming a join, which could be run the wrong way round), and the holder is compared so that no index but the
-- primary key's fits: the plan is the same whatever the statistics say.
{fenced}:
m.route_id = :route::integer
  and m.id = any (:ids::text[])
  and m.readied_by is not distinct from :holder::uuid
  and ((m.id, m.readied_at) in (
    select f.id, f.readied_at from unnest(:ids::text[], :stamps::bigint[]) f (id, readied_at))) is true
