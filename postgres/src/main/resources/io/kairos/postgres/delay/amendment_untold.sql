-- Outcomes for results topics that a node has decided, in the order of their numbers. The range instead of an equality
-- keeps decided_by in the order, and so the planner from walking the primary key instead.
-- Index: amendment_untold. No locks; at most :max_results rows.
select number, route_id, message_id, kind, due_micros, reply_partition, reply_offset, reply_key, outcome
from amendment
where decided_by >= :decided_by::uuid
  and decided_by <= :decided_by::uuid
  and outcome is not null
  and reply_partition is not null
order by decided_by, number
limit :max_results::integer
