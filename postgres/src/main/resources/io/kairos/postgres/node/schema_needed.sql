-- The migration that every node has to know, because a later one has taken away what others use; 0 for none. Reads the whole
-- table, which has a row per migration. No locks; one row.
select coalesce(max(substring(h.description from '^contract after (\d{1,9})')::integer), 0)
from flyway_schema_history h
where h.success
