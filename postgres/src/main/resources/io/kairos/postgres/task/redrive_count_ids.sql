-- How many of these tasks can be put back. Index: finished_task_pkey, one probe per task; task_queue_pkey,
-- task_key_handler_key_key. No locks; one row.
select count(*)
from unnest(:ids::uuid[]) r (id)
cross join lateral (
  select 1
  from finished_task f
  where f.id = r.id and f.state::text in ('F', 'D') and f.payload is not null and {blocks_no_key}
  offset 0) f
