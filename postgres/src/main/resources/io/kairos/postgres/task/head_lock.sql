-- The head of a key, with its state and its attempts. Index: task_key_pkey, task_pkey. Locks the task's row; one or none.
select t.id, t.state, t.attempt
from task_key k
cross join lateral (select * from task p where p.id = k.head for update) t
where k.id = :key_id::bigint
