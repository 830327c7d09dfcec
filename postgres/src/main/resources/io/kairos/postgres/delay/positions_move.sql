-- Moves the positions of input partitions by compare-and-set. Fewer rows than asked for means that another node has moved
-- one, or that the node has been buried: nobody would look after the messages that it takes in. The node is not locked, so
-- that a burial under way is not waited for; messages that slip in are left to the detection of overheld ones. The arrays
-- belong together by place. Index: input_position_pkey, node_pkey. Locks the positions until the batch is stored, in the
-- order of the partitions; one row per partition.
update input_position
set next_offset = (:next::bigint[])[array_position(:partitions::integer[], partition)]
where route_id = :route::integer
  and topic_id = :topic::uuid
  and partition = any (:partitions::integer[])
  and (next_offset is null
    or next_offset = (:expected::bigint[])[array_position(:partitions::integer[], partition)])
  and (select true from node where id = :node::uuid)
