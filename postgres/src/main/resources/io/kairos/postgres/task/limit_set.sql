-- Limits a queue, or changes its limit; a new limit begins with the count of tasks that run now. Index: task_limit_pkey,
-- task_held in all that is held. Waits for claims and ends of the queue; one row.
insert into task_limit (queue_id, max_running, running, rate, burst)
select
  :queue_id::integer,
  :max_running::integer,
  (select count(*) from task t where t.state in ('E', 'P') and t.state::text = 'P' and t.queue_id = :queue_id::integer),
  :rate::double precision,
  :burst::integer
on conflict (queue_id) do update
set max_running = excluded.max_running, rate = excluded.rate, burst = excluded.burst
