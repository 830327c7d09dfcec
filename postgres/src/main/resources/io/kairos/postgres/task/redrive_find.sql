-- Failed tasks that match and can be put back, the oldest first: of a handler or (:handler null) of all handlers, ended
-- before :ended_before, with :error somewhere in their last failure, and without those that block their ordering key. Each
-- state is found by its range, named by comparisons of rows, which no other index fits. Index: finished_task_other,
-- task_queue_handler_priority_key, task_key_handler_key_key. No locks; at most :max_tasks rows, and passes over tasks that
-- do not match up to :up_to.
with wanted as materialized (
  select array(select q.id from task_queue q where q.handler = :handler::text) as queue_ids
)
select o.id
from unnest(:states::text[]) s (state)
cross join lateral (
  select f.id
  from finished_task f
  where {ended_otherwise}
    and (f.state, f.id) <= (s.state::"char", :up_to::uuid)
    and f.payload is not null
    and (:handler::text is null or f.queue_id = any ((select queue_ids from wanted)::integer[]))
    and f.finished_at < :ended_before::bigint
    and (:error::text = '' or strpos(f.failures -> -1 ->> 'error', :error::text) > 0)
    and {blocks_no_key}
  order by f.state, f.id
  limit :max_tasks::integer) o
order by o.id
limit :max_tasks::integer
