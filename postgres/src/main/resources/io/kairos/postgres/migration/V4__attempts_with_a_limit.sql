-- When an attempt has taken longer than the task's execution timeout; null without one.
alter table task add column attempt_until bigint;
