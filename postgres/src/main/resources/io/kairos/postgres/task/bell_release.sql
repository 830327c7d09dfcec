-- Lets kairos_schedule tell nodes of new tasks again. After the clock was set back it takes its last notification, which lies
-- in the future, for a recent one. No index; the one row of a sequence, or none.
select setval('task_bell', 0)
from task_bell
where last_value > (extract(epoch from clock_timestamp()) * 1000)::bigint + 1000
