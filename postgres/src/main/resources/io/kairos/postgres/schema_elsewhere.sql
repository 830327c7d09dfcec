-- The first schema of the database that has Kairos' function, when the session's own has not. No locks; at most one row.
select min(n.nspname::text)
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where p.proname = 'kairos_schedule'
having bool_and(n.nspname is distinct from current_schema())
