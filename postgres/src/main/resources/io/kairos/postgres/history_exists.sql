-- Whether the session's schema has a history, and whether it has any other table. No locks; one row.
select to_regclass('flyway_schema_history') is not null and exists (
    select from pg_class where oid = to_regclass('flyway_schema_history') and relnamespace = current_schema()::regnamespace),
  exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v', 'S', 'm'))
