-- The migrations that have been made, by their order. Reads the whole history, a row for each migration. No locks.
select version, description, script, checksum, success from flyway_schema_history where version is not null order by installed_rank
