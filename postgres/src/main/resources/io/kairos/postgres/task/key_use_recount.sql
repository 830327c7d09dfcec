-- Counts the tasks that run under each limited name anew. Index: task_held, in all that is held; key_limit_pkey, key_use_pkey. Reads
-- key_use. The limits are locked alone; changes as many rows as names were counted wrong, or run for the first time.
with {miscounted}, counted as (
  insert into key_use (name, running)
  select n.name, n.running
  from miscounted n
  where n.running > 0 and exists ({limit_of_name})
  order by n.name
  on conflict (name) do update set running = excluded.running
)
update key_use u
set running = 0
from miscounted n
where n.running = 0 and u.name = any (array[n.name])
