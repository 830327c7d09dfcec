-- Failed tasks that match and can be put back, the oldest first. Index: finished_task_other, task_error_print,
-- task_error_class, finished_task_pkey, task_queue_handler_priority_key, task_key_handler_key_key. No locks; at most
-- :max_tasks rows, and passes over tasks that do not match up to :up_to.
with {redrivable}
select f.id
from found f
order by f.id
