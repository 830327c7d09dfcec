-- The latest error of each task that has ended without success, to find and group tasks by it. A table of its own, because
-- successes then cost nothing, and an index of finished_task could not be built while it is written. A node of an earlier
-- version writes no rows, and leaves those of tasks that it puts back or prunes: they go by their age.
create table task_error (
  task_id uuid primary key,
  -- how the task ended: failed, cancelled, dead
  state "char" not null,
  queue_id integer not null,
  ended_at bigint not null,
  -- empty for a failure that was noted before this version
  fingerprint text collate "C" not null,
  -- empty for none
  error_class text collate "C" not null
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000
);

-- The latest of what has failed so far; no fingerprint is known of it.
insert into task_error (task_id, state, queue_id, ended_at, fingerprint, error_class)
select f.id, f.state, f.queue_id, f.finished_at, '', coalesce(f.failures -> -1 ->> 'class', '')
from (values ('F'::text), ('D'::text)) e (state)
cross join lateral (
  select o.id, o.state, o.queue_id, o.finished_at, o.failures
  from finished_task o
  where o.state::text = e.state and o.state <> 'S'
  order by o.finished_at desc
  limit 100000) f;

-- Pruning by age: prune_other.
create index task_error_age on task_error (state, ended_at);
-- What failed last: failures.
create index task_error_ended on task_error (ended_at) where state in ('F', 'D');
-- What failed alike: list, list_end, redrive_find, redrive_count, redrive_end.
create index task_error_print on task_error (fingerprint, task_id) where fingerprint <> '';
create index task_error_class on task_error (error_class, task_id) where error_class <> '';

-- The schedule of which an ended task was a run; null for none, and for tasks that ended before this version. The last
-- statement, because it locks the table until the end of the transaction, and ends of tasks wait for it.
alter table finished_task add column schedule_id uuid;
