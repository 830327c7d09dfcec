-- The history as Flyway makes it, so that servers beside this process read and write the same one. Run in a turn to migrate.
create table if not exists flyway_schema_history (
  installed_rank integer not null constraint flyway_schema_history_pk primary key,
  version varchar(50),
  description varchar(200) not null,
  type varchar(20) not null,
  script varchar(1000) not null,
  checksum integer,
  installed_by varchar(100) not null,
  installed_on timestamp not null default now(),
  execution_time integer not null,
  success boolean not null
)
