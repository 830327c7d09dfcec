-- The value that a successful attempt has left, with its content type; null for none, and for tasks that ended under an earlier
-- version: these have a text among their failures. And what the worker of an attempt has said of its progress: its percentage,
-- note and time, with the fence of the attempt, so that no other statement has to remove it.
alter table task add column progress jsonb;
alter table finished_task add column result bytea, add column result_type text;
