-- Locks all rows that the statements for several kinds of ends are going to lock, in one order: the tasks by id, sorted by
-- the caller, the limits of their queues by number, their handlers with an admission quota by name. Each statement keeps
-- that order by itself; several statements one after the other would not. Tasks with a key or limits only when :keyed:
-- then they and these are locked already; tasks with successors only when :followed. Index: task_pkey, one probe per task; task_limit_pkey, task_queue_pkey, task_handler_pkey.
-- One row, in which the tasks are counted first, because they are locked even if nothing is limited; locks as many rows as
-- ids.
with held as materialized (
  select t.queue_id
  from unnest(:ids::uuid[], :fences::bigint[]) s (id, fence)
  cross join lateral (
    select p.queue_id from task p
    where p.id = s.id
      and p.fence = s.fence
      and p.state::text = 'P'
      and ((p.key_id is null and p.limits is null) or :keyed::boolean)
      and (not p.has_successors or :followed::boolean)
    for update) t
), limits as materialized (
  select l.queue_id
  from task_limit l
  where l.queue_id = any (array(select distinct h.queue_id from held h))
  order by l.queue_id
  for no key update of l
), quotas as materialized (
  select h.handler
  from task_handler h
  where h.max_unfinished is not null
    and h.handler = any (array(
      select q.handler from task_queue q where q.id = any (array(select distinct e.queue_id from held e))))
    -- so that limits are locked first
    and (select count(*) from limits) >= 0
  order by h.handler
  for no key update of h
)
select (select count(*) from held), (select count(*) from limits), (select count(*) from quotas)
