-- Stored positions of input partitions, final once read. Index: input_position_pkey. Locks the rows, in the order of
-- the partitions, and so waits for a transaction that is moving one of them; one row per partition.
select partition, next_offset
from input_position
where route_id = :route::integer and topic_id = :topic::uuid and partition = any (:partitions::integer[])
order by partition
for update
