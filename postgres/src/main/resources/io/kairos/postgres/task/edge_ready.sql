-- Takes closed edges from those that awaiting tasks wait for, and makes those ready that wait for none. A task that comes due within
-- :ahead_micros goes onto the queues of :node at once, up to the limit of each and up to :max_bytes of payload over all, both
-- counted in the order of the ids; only such a task is returned with its payload. The trigger that is returned is the one they
-- waited for. Begins after the edges were closed, so that it sees the rows of all tasks that had counted them. Index:
-- task_await_pkey, two probes per task; task_pkey, then by ctid. Locks the counts in the order of the ids, sorted by the caller, then
-- the tasks that are ready, and skips tasks locked by peers, which edge_late.sql finds again; at most as many rows as ids.
with {clock}, waiting as materialized (
  select a.task_id, a.open - n.closed as open
  from unnest(:ids::uuid[], :closed::integer[]) n (id, closed)
  cross join lateral (select w.task_id, w.open from task_await w where w.task_id = n.id for no key update) a
), free as materialized (
  select t.*
  from waiting w
  cross join lateral (
    select p.ctid as place, p.id, p.queue_id, p.next_trigger, octet_length(p.payload) as bytes
    from task p
    where p.id = w.task_id and p.state::text = 'A'
    for update skip locked) t
  where w.open = 0
), {chosen_for_queues}, ready as (
  update task t
  set
    has_predecessors = true,
    {woken}
  from chosen c
  where t.ctid = c.place
  returning {enqueued}
), forgotten as (
  delete from task_await a using ready r where a.task_id = any (array[r.id])
), counted as (
  update task_await a
  set open = w.open
  from waiting w
  where a.task_id = any (array[w.task_id])
    and a.open <> w.open
    and (w.open > 0 or w.task_id not in (select r.id from ready r))
)
select r.* from ready r
