-- Fairness keys: whose share of its queue a task uses up, and by which weight. An empty key is that of tasks without one in a
-- queue that has had tasks with one; other tasks have null.
alter table task add column fairness_key text collate "C", add column fairness_weight integer;
alter table finished_task add column fairness_key text collate "C", add column fairness_weight integer;
alter table schedule add column fairness_key text collate "C", add column fairness_weight integer;

-- True once the queue has had a task with a fairness key.
alter table task_queue add column is_fair boolean not null default false;

-- The waiting tasks that have a fairness key, in due order of each key: task_waiting has the tasks of all keys of a queue in one
-- order. It stands for an index of task, which could not be built while that is written: see ADR 35. Kept by triggers, so that
-- what nodes of earlier versions change is right, too; a row belongs to whoever has locked its task.
create table task_share (
  queue_id integer not null,
  fairness_key text collate "C" not null,
  next_trigger bigint not null,
  task_id uuid not null,
  weight integer not null,
  primary key (queue_id, fairness_key, next_trigger, task_id)
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 200000,
  autovacuum_vacuum_cost_delay = 0
);

create function kairos_keep_share() returns trigger
language plpgsql
as $$
begin
  if tg_op <> 'INSERT' and old.fairness_key is not null and old.state in ('N', 'R') then
    delete from task_share s
    where s.queue_id = old.queue_id
      and s.fairness_key = old.fairness_key
      and s.next_trigger = old.next_trigger
      and s.task_id = old.id;
  end if;
  if tg_op <> 'DELETE' and new.fairness_key is not null and new.state in ('N', 'R') then
    insert into task_share (queue_id, fairness_key, next_trigger, task_id, weight)
    values (new.queue_id, new.fairness_key, new.next_trigger, new.id, coalesce(new.fairness_weight, 1));
  end if;
  return null;
end
$$;

do $$
begin
  execute format('alter function kairos_keep_share set search_path = %I, pg_temp', current_schema());
end
$$;

-- Tasks without a key cost a comparison with null, and those with one that go from a node to a worker two.
create trigger task_share_insert
  after insert on task
  for each row when (new.fairness_key is not null and new.state in ('N', 'R'))
  execute function kairos_keep_share();

create trigger task_share_update
  after update of state, next_trigger, queue_id, fairness_key, fairness_weight on task
  for each row when (
    (old.fairness_key is not null and old.state in ('N', 'R')) or (new.fairness_key is not null and new.state in ('N', 'R')))
  execute function kairos_keep_share();

create trigger task_share_delete
  after delete on task
  for each row when (old.fairness_key is not null and old.state in ('N', 'R'))
  execute function kairos_keep_share();
