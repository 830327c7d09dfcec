-- Locks tasks for which others are about to wait, as they will end only after that, and marks them. Those that have ended are
-- not returned. Index: task_pkey, one probe per task, and one more for those to be marked. Locks the rows in the order of the
-- ids, sorted by the caller; at most as many rows as ids.
with found as materialized (
  select t.id, t.has_successors
  from unnest(:ids::uuid[]) n (id)
  cross join lateral (select p.id, p.has_successors from task p where p.id = n.id for update) t
), marked as (
  update task t set has_successors = true from found f where not f.has_successors and t.id = any (array[f.id])
)
select id from found
