-- Takes closed edges from those that awaiting tasks wait for, and returns how many each waits for now. Begins after the edges
-- were closed, so that it sees the rows of all tasks that had counted them. Index: task_await_pkey, two probes per task. Locks
-- the rows in the order of the ids, sorted by the caller; at most as many rows as ids.
with waiting as materialized (
  select a.task_id, n.closed
  from unnest(:ids::uuid[], :closed::integer[]) n (id, closed)
  cross join lateral (select w.task_id from task_await w where w.task_id = n.id for no key update) a
)
update task_await a set open = a.open - w.closed from waiting w where a.task_id = any (array[w.task_id])
returning a.task_id, a.open
