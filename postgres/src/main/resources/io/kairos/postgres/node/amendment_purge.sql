-- Removes outcomes that a caller could have read for :kept_micros. Index: amendment_unread. Locks the rows that it removes;
-- at most :max_amendments rows.
delete from amendment
where number = any (array(
  select number from amendment
  where outcome is not null
    and reply_partition is null
    and decided_at <= statement_timestamp() - :kept_micros::bigint * interval '1 microsecond'
  order by decided_at
  limit :max_amendments::integer))
