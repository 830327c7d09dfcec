-- Awaiting tasks that fail or are cancelled by the end of a predecessor, with their keys: those behind open edges of these modes to
-- the successors between :after and :up_to. Index: task_edge_pkey, task_pkey. Locks the tasks and skips rows locked by
-- peers; at most :max_tasks rows, and passes over the other edges to these successors.
select t.id, t.key_id
from task_edge x
cross join lateral (
  select w.id, w.key_id from task w where w.id = x.successor and w.state::text = 'A' for update skip locked) t
where x.predecessor = :id::uuid
  and x.successor > :after::uuid
  and x.successor <= :up_to::uuid
  and x.open
  and x.on_failure::text = any (:on_failures::text[])
limit :max_tasks::integer
