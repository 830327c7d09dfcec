-- Counts tasks that are stored now. See claim.sql for the form of the condition. Index: task_handler_pkey. The rows are
-- locked already; one per handler.
update task_handler h
set unfinished = h.unfinished + n.added
from unnest(:handlers::text[], :added::bigint[]) n (handler, added)
where h.handler = any (array[n.handler])
