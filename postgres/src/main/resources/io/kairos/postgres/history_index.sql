-- The index of the history, as Flyway makes it. Run in a turn to migrate.
create index if not exists flyway_schema_history_s_idx on flyway_schema_history (success)
