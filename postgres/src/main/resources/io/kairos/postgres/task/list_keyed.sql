-- How many unfinished tasks an ordering key has, up to one more than :max_looked. Index: task_key_handler_key_key, task_of_key. No
-- locks; passes over so many entries.
select count(*)
from (
  select 1
  from task t
  where t.key_id = (select k.id from task_key k where k.handler = :handler::text and k.key = :key::text)
  limit :max_looked::integer + 1) t
