-- When the worker of an attempt sent its last heartbeat, with the fence of the attempt, so that no other statement has to remove it.
alter table task add column heartbeat_at bigint, add column heartbeat_fence bigint;
