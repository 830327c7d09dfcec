-- Tasks that have ended and of whose successors some have not been told, behind :after. Index: task_ended_pkey. No locks; at most
-- :max_tasks rows.
select e.task_id
from task_ended e
where e.task_id > :after::uuid
order by e.task_id
limit :max_tasks::integer
