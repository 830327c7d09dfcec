-- Outcomes of one route for its results topic that a node has decided, in the order of their numbers, after a given one.
-- The comparisons of rows name one range of the index, and its columns in the order keep the planner from walking the
-- primary key instead. Index: amendment_untold. No locks; at most :max_results rows.
select number, route_id, message_id, due_micros, reply_partition, reply_offset, reply_key, outcome
from amendment
where (decided_by, route_id, number) > (:decided_by::uuid, :route::integer, :after::bigint)
  and (decided_by, route_id, number) <= (:decided_by::uuid, :route::integer, 9223372036854775807)
  and outcome is not null
  and reply_partition is not null
order by decided_by, route_id, number
limit :max_results::integer
