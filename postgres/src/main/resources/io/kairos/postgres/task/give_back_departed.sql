-- Makes tasks wait again that these nodes have on their queues; see give_back.sql. Index: task_held, all that is held at
-- worst, then by ctid. Locks the rows that it changes and skips rows locked by peers; at most :max_tasks rows.
update task t
set
  {waiting_again}
where t.ctid = any (array(
  select h.ctid from task h
  where h.state = 'E' and h.holder = any (:nodes::text[])
  order by h.next_trigger
  limit :max_tasks::integer
  for update skip locked))
