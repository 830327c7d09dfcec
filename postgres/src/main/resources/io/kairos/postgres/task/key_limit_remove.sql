-- Removes the limit of a name or pattern. Index: key_limit_pkey. The limits are locked alone; one row or none.
delete from key_limit l where l.pattern = :pattern::text
