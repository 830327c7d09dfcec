-- Notes up to which of its successors, in the order of their ids, the end of a task has been told; null for none. Index:
-- task_ended_pkey. The row is locked already; one or none.
update task_ended e set followed_to = :followed_to::uuid where e.task_id = :id::uuid and e.followed_to is distinct from :followed_to::uuid
