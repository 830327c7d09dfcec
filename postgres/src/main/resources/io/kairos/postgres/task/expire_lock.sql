-- Tasks that have not begun by their start deadline, which has passed by the store's clock and by :believed_micros, the
-- longest overdue first. A task that a worker performs may go on. Index: task_start_deadline, in its order. Locks the rows
-- and skips rows locked by peers; at most :max_tasks rows.
select t.id, t.key_id
from task t
where t.start_deadline
    < (select least(:believed_micros::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint))
  and t.state <> 'P'
order by t.start_deadline
limit :max_tasks::integer
for update skip locked
