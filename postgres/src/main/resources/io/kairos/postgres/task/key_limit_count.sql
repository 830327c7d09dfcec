-- How many limits by key there are, and true if one is for :pattern. Reads the whole table, which has at most a thousand rows. No
-- locks; one row.
select count(*)::integer, coalesce(bool_or(l.pattern = :pattern::text), false) from key_limit l
