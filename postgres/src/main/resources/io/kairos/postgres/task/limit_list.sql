-- Limited queues. Reads the whole table, which operators fill. No locks.
select queue_id, max_running, rate, burst, running from task_limit order by queue_id
