-- The names of handlers that have queues or workers. Index: task_queue_handler_priority_key, handler_asked_pkey. No locks; at most
-- :max_handlers rows.
with {known_handlers}
select h.handler
from handlers h
order by h.handler
