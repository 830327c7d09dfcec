-- Moves the positions of input partitions by compare-and-set: fewer rows than asked for means that another node has
-- moved one. The arrays belong together by place. Index: input_position_pkey. Locks the rows until the batch is stored,
-- in the order of the partitions; one row per partition.
update input_position
set next_offset = (:next::bigint[])[array_position(:partitions::integer[], partition)]
where route_id = :route::integer
  and partition = any (:partitions::integer[])
  and (next_offset is null
    or next_offset = (:expected::bigint[])[array_position(:partitions::integer[], partition)])
