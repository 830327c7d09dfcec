-- The schema of Kairos' tables, quoted where it has to be, and whether every role of the database may create in it. No locks; one row.
select quote_ident(current_schema()), has_schema_privilege('public', current_schema(), 'create')
