-- Inserts a row for each input partition that has none, so that there is a row to lock. Index: input_position_pkey. Waits
-- for a transaction that is inserting the same row; in the order of the partitions, sorted by the caller. One row per
-- partition.
insert into input_position (route_id, topic_id, partition)
select :route::integer, :topic::uuid, p.partition from unnest(:partitions::integer[]) p (partition)
on conflict (route_id, topic_id, partition) do nothing
