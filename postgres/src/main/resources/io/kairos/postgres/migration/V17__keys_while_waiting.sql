-- The task that has its idempotency key only while it waits: until it has ended or a worker performs it. The id of the task
-- and not a flag, because a node of an earlier version, or kairos_schedule, gives the key to another task and leaves the
-- column as it is; for them such a key is one while unfinished.
alter table task_request add column waiting_task uuid;
