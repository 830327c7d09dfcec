-- Moves the positions of input partitions by compare-and-set: fewer rows than asked for means that another node has
-- moved one. Index: input_position_pkey. Locks the rows until the batch is stored, in the order of the partitions,
-- sorted by the caller; one row per partition.
update input_position p
set next_offset = m.next_offset
from unnest(:partitions::integer[], :expected::bigint[], :next::bigint[]) m (partition, expected, next_offset)
where p.route_id = :route::integer
  and p.partition = m.partition
  and (p.next_offset is null or p.next_offset = m.expected)
