-- Makes a blocked task of each of these keys wait for its turn again: the given head or, without one, the first task of the
-- key in due order, if it is blocked. A task that comes due within :ahead_micros goes onto the queues of :node at once, up
-- to the limit of each and up to :max_bytes of payload over all, both counted in the order of the ids; only such a task is
-- returned with its payload. The trigger that is returned is the one they waited for. Index: task_of_key, its first entry
-- of each key; task_pkey, then by ctid. Locks the rows that it changes and skips rows locked by peers: peers that cancel or
-- reschedule wait for the lock of the key, and wake the next task after it. At most one row per key.
with {clock}, first as materialized (
  select coalesce(k.head::uuid, (
    select p.id from task p
    where p.key_id = k.id and p.state::text <> 'A'
    order by p.due_at, p.id
    limit 1)) as id
  from unnest(:ids::bigint[], :heads::text[]) k (id, head)
), free as materialized (
  select t.*
  from first f
  cross join lateral (
    select p.ctid as place, p.id, p.queue_id, p.next_trigger, octet_length(p.payload) as bytes from task p
    where p.id = f.id and p.state::text = 'B'
    for update skip locked) t
), {chosen_for_queues}
update task t
set
  {woken}
from chosen c
where t.ctid = c.place
returning {enqueued}
