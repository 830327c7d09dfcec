-- The schema of Kairos' tables, if every role of the database may create in it. No locks; at most one row.
select current_schema()::text
where has_schema_privilege('public', current_schema(), 'create')
