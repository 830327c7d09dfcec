-- Stores edges between tasks, and how many open ones each task waits for. Marks the new tasks that others wait for, and those whose
-- predecessors have all ended; the others with predecessors are marked when they are ready.
-- Index: task_pkey, one probe per task to be marked; writes all of the other tables. Locks the marked rows, which are new; as many rows as edges.
with edges as (
  insert into task_edge (predecessor, successor, on_failure, open)
  select e.predecessor, e.successor, e.on_failure::"char", e.open = 1
  from unnest(:predecessors::uuid[], :successors::uuid[], :on_failures::text[], :opens::integer[])
    e (predecessor, successor, on_failure, open)
), awaits as (
  insert into task_await (task_id, queue_id, open)
  select a.id, a.queue_id, a.open from unnest(:awaiting::uuid[], :queue_ids::integer[], :counts::integer[]) a (id, queue_id, open)
)
update task t
set has_successors = m.has_successors = 1, has_predecessors = m.has_predecessors = 1
from unnest(:marked::uuid[], :have_successors::integer[], :have_predecessors::integer[]) m (id, has_successors, has_predecessors)
where t.id = any (array[m.id])
