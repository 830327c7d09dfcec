-- Notes a migration that was made in this transaction, whose time counts from its begin. Reads the whole history; one row.
insert into flyway_schema_history (
  installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
select coalesce(max(installed_rank), 0) + 1, :version, :description, 'SQL', :script, :checksum::integer, current_user,
  (extract(epoch from clock_timestamp() - now()) * 1000)::integer, true
from flyway_schema_history
