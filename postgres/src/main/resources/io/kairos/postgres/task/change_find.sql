-- Unfinished tasks that a change of many may change, the oldest first. Index: task_pkey, task_queue_handler_priority_key,
-- task_key_handler_key_key. No locks; at most :max_tasks rows, and passes over tasks that do not match up to :up_to.
with {wanted}
select t.id
from task t
where t.id > :after::uuid and t.id <= :up_to::uuid and {changed}
order by t.id
limit :max_tasks::integer
