-- The first schema of the database that has Kairos' tables, when the session's own has none. No locks; at most one row.
select min(n.nspname::text)
from pg_namespace n
where (
    select count(*) from pg_class c
    where c.relnamespace = n.oid and c.relname in ('flyway_schema_history', 'task', 'task_queue', 'delayed_message', 'node')
  ) = 5
having bool_and(n.nspname is distinct from current_schema())
