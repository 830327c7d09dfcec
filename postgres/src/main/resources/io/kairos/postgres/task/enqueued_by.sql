-- Tasks that :node has on its queues, the earliest timeout first. Index: task_held, in its order, all that is held at
-- worst. No locks; at most :max_tasks rows.
select h.id, h.fence from task h
where h.state = 'E' and h.holder = :node::text
order by h.next_trigger
limit :max_tasks::integer
