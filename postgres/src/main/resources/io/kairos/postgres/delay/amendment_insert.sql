-- Notes amendments, decided or not. Their numbers rise in the order in which amendments of one message were accepted,
-- because the message is locked. Writes all indexes of amendment. As many rows as amendments.
insert into amendment (
  route_id, message_id, due_micros, reply_partition, reply_offset, reply_key, outcome, decided_by, decided_at)
select
  :route::integer, a.message_id, a.due_micros, a.reply_partition, a.reply_offset, a.reply_key, a.outcome,
  case when a.outcome is not null then :decided_by::uuid end,
  case when a.outcome is not null then clock_timestamp() end
from unnest(
  :ids::text[], :dues::bigint[], :reply_partitions::bigint[], :reply_offsets::bigint[],
  :reply_keys::bytea[], :outcomes::text[])
  a (message_id, due_micros, reply_partition, reply_offset, reply_key, outcome)
returning number
