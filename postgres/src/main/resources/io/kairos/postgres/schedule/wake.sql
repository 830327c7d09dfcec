-- Has schedules looked at now. Index: schedule_pkey. Waits for whoever is deciding one; in the order of the ids, sorted by the
-- caller. As many rows as ids.
with locked as materialized (
  select s.id
  from unnest(:ids::uuid[]) n (id)
  cross join lateral (select p.id from schedule p where p.id = n.id and p.status = 'ACTIVE' for no key update) s
)
update schedule s
set next_at = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
from locked k
where s.id = any (array[k.id])
