-- Moves tasks that no worker performs to the history as :state, and notes an :error as that of their last attempt. Has those
-- looked at that others wait for, and returns how many awaited others. Index: task_pkey, one probe per task; writes all of
-- finished_task, task_batch_end, task_error and task_ended. The rows and their keys are locked already, as many as ids; locks the
-- rows of handlers that have an admission quota.
with {clock}, settled as (
  delete from task t
  using unnest(:ids::uuid[]) n (id)
  cross join (values (:state::text, :error::text, null::text, :fingerprint::text, null::text, null::bytea, null::text))
    s (state, error, error_class, fingerprint, stack, result, result_type)
  where t.id = any (array[n.id])
  returning {ended}, t.state = 'A' as was_awaiting
), noted as (
  {errors}
), counted as (
  -- only while a handler has an admission quota
  {unfinished_less}
  where h.handler = e.handler and h.max_unfinished is not null
), followed as (
  insert into task_ended (task_id)
  select g.id from settled g where g.has_successors order by g.id
  on conflict (task_id) do update set task_id = excluded.task_id
), {history}
select count(*) filter (where g.was_awaiting) from settled g
