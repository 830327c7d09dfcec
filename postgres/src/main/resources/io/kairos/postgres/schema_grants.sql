-- The statements that give a role what a node needs, on all objects of the session's schema as they are now, and no right to
-- change the schema or its history. Sequences are also set back, with the clock. No locks; five rows.
select format('grant usage on schema %I to %I', current_schema(), :role::text)
union all
select format('grant select, insert, update, delete on all tables in schema %I to %I', current_schema(), :role::text)
union all
select format('revoke insert, update, delete on %I.flyway_schema_history from %I', current_schema(), :role::text)
union all
select format('grant usage, select, update on all sequences in schema %I to %I', current_schema(), :role::text)
union all
select format('grant execute on all functions in schema %I to %I', current_schema(), :role::text)
