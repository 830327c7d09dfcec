-- Removes the idempotency keys of tasks that are not stored after all. Index: task_request_task. The rows are new and this
-- transaction's own; at most one per id.
delete from task_request where task_id = any (:ids::uuid[])
