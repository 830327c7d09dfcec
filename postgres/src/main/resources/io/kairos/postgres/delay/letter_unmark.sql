-- Takes the note of a dead letter back. Index: republished_letter_pkey. Locks its row; one row or none.
delete from republished_letter
where route_id = :route::integer
  and letter_partition = :partition::integer
  and letter_offset = :letter_offset::bigint
  and letter_millis = :letter_millis::bigint
