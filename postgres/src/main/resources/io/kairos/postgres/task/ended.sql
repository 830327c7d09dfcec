-- Tasks of these ids that have ended, without payload, up to so many bytes of values and of failures, as these are when they are read; at
-- least one. Index: finished_task_pkey, two probes per id; task_queue_pkey, task_handler_pkey, schedule_pkey. No locks; at most as many
-- rows as ids, which the caller bounds.
with sized as materialized (
  select f.id, f.bytes, sum(f.bytes) over (order by f.id) as with_earlier
  from unnest(:ids::uuid[]) a (id)
  cross join lateral (
    select p.id, coalesce(octet_length(p.result), 0) + coalesce(octet_length(p.failures::text), 0) as bytes
    from finished_task p
    where p.id = a.id
    offset 0) f
)
select
  {view}
from (
  select
    {finished}, null::bytea as payload, f.result as value, f.failures as shown
  from sized z
  cross join lateral (select * from finished_task p where p.id = z.id offset 0) f
  where z.with_earlier - z.bytes < :max_bytes::bigint) v
{view_joins}
