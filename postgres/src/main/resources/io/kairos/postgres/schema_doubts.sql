-- The schema of Kairos' tables, whether every role of the database may create in it, and whether it lacks the index of fairness keys.
-- No locks; one row.
select
  current_schema()::text,
  has_schema_privilege('public', current_schema(), 'create'),
  not exists (select from pg_index i where i.indexrelid = to_regclass('task_fair') and i.indisvalid)
