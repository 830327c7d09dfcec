-- Ends a pause now; its row is removed once the tasks that it held back wait again. Index: task_pause_pkey. Waits for a node
-- that follows the pause up. A claim or enqueueing under way may still hold a task back, which waits again when the pause
-- is followed up next; one row or none.
update task_pause
set until = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
where handler = :handler::text
  and collection = :collection::text
  and (until is null or until > (select (extract(epoch from clock_timestamp()) * 1000000)::bigint))
