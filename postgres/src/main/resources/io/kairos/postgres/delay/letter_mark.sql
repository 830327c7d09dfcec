-- Notes that a dead letter is about to be published again, unless that was noted before and :again is false. Removes other
-- notes that are older than :kept_micros, at most 100. Indexes: republished_letter_pkey, republished_letter_age. Locks the
-- rows that it writes and removes, and skips old ones locked by peers; returns a row when it has noted it.
with old as materialized (
  select r.ctid as place
  from republished_letter r
  where r.marked_at <= statement_timestamp() - :kept_micros::bigint * interval '1 microsecond'
    and (r.route_id, r.letter_partition, r.letter_offset)
      <> (:route::integer, :partition::integer, :letter_offset::bigint)
  order by r.marked_at
  limit 100
  for update skip locked
), removed as (
  delete from republished_letter where ctid = any (array(select place from old))
)
insert into republished_letter as r (route_id, letter_partition, letter_offset, letter_millis)
values (:route::integer, :partition::integer, :letter_offset::bigint, :letter_millis::bigint)
on conflict (route_id, letter_partition, letter_offset) do update set
  letter_millis = excluded.letter_millis,
  marked_at = excluded.marked_at
where :again::boolean
  or r.letter_millis <> excluded.letter_millis
  or r.marked_at <= statement_timestamp() - :kept_micros::bigint * interval '1 microsecond'
returning r.route_id
