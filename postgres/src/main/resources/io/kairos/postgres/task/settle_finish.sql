-- Moves tasks in processing that have succeeded and still carry their fence to the history: with :lapsed_by those whose lease
-- has ended by then and by the store's clock, with :only_if_cancelled only those whose cancel was requested. Passes over
-- results of attempts that have taken longer than their execution timeout, by the store's clock and by :believed_micros. Tasks
-- with a key only when :keyed: then they and their keys are locked already. See claim.sql for the form of the conditions.
-- Index: task_pkey, one probe per task; task_limit_pkey; writes all of finished_task, and task_batch_end. Locks the rows in the order of the ids,
-- sorted by the caller, then the limits of their queues in the order of their numbers, then those of handlers with an
-- admission quota; as many rows as ids.
with {clock}, settled as (
  {finished_now}
), {history}, {freed}, counted as (
  {unfinished_less_if_any}
)
select {settled_as}
from settled g
