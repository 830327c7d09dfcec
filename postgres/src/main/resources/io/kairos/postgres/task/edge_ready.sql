-- Makes awaiting tasks without open edges wait for their due time, and returns their queues. Index: task_pkey, then by ctid;
-- task_await_pkey. Locks the rows and skips rows locked by peers, which edge_late.sql finds again; at most as many rows as ids.
with free as materialized (
  select t.place
  from unnest(:ids::uuid[]) n (id)
  cross join lateral (
    select p.ctid as place from task p where p.id = n.id and p.state::text = 'A' for update skip locked) t
), ready as (
  update task t set state = 'N', has_predecessors = true from free f where t.ctid = f.place returning t.id, t.queue_id
), counted as (
  delete from task_await a using ready r where a.task_id = any (array[r.id])
)
select queue_id from ready
