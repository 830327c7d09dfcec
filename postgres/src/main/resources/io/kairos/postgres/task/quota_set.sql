-- Sets the admission quota of a handler, null for none; a handler that had none begins with a count of zero. Index:
-- task_handler_pkey. The row is locked already; one.
update task_handler h
set
  max_unfinished = :max_unfinished::bigint,
  unfinished = case when h.max_unfinished is null then 0 else h.unfinished end
where h.handler = :handler::text
