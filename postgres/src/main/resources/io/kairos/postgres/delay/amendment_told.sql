-- Forgets amendments whose outcome is known to who asked. Index: amendment_pkey. Locks the rows; one per number.
delete from amendment where number = any (:numbers::bigint[]) and outcome is not null
