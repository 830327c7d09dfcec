-- Removes amendments whose requester knows the outcome. Index: amendment_pkey. Locks the rows; one per number.
delete from amendment where number = any (:numbers::bigint[]) and outcome is not null
