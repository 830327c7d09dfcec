-- Held tasks whose trigger has passed by the store's clock and by :believed_micros, the longest passed first, with the
-- retry policy of the task or else of its handler. Index: task_held, in its order; task_queue_pkey, task_handler_pkey,
-- one probe each per task. Locks the rows while it reads and skips rows locked by peers, which are changing them; at
-- most :max_tasks rows.
select {attempt}
from task t
{policy_of_handler}
where t.state in ('E', 'P')
  and t.next_trigger
    <= (select least(:believed_micros::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint))
order by t.next_trigger
limit :max_tasks::integer
for no key update of t skip locked
