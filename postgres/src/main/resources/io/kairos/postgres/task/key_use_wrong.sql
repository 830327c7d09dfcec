-- Has a row when the tasks that run under a limited name are not as many as counted, or none run and some are counted. A count
-- changes in the transaction that begins or ends a task, so in one snapshot they are the same. Index: task_held, in all that is held;
-- key_limit_pkey. Reads key_use. No locks.
with {miscounted}
select from miscounted n where n.running = 0 or exists ({limit_of_name}) limit 1
