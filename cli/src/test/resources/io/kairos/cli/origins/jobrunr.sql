-- The tables of JobRunr that an import meets, as its migrations leave them in Postgres.
create table jobrunr_jobs (
  id char(36) primary key,
  version int not null,
  jobAsJson text not null,
  jobSignature varchar(512) not null,
  state varchar(36) not null,
  createdAt timestamp not null,
  updatedAt timestamp not null,
  scheduledAt timestamp,
  recurringJobId varchar(128),
  deadline timestamp
);

create table jobrunr_recurring_jobs (
  id char(128) primary key,
  version int not null,
  jobAsJson text not null,
  createdAt bigint not null default 0
);
