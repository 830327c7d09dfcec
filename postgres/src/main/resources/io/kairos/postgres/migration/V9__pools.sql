-- Pools of HTTP endpoints. Times are bigint microseconds since 1970, lengths are microseconds. All of it is small and read by
-- every node once a second.

create sequence pool_generation;

create table http_pool (
  name text collate "C" primary key,
  -- of pool_generation, drawn anew at each change
  generation bigint not null,
  -- listed, resolved, registered
  kind "char" not null check (kind in ('L', 'D', 'R')),
  urls text[] not null,
  -- random, least loaded, fastest, sticky
  routing "char" not null check (routing in ('R', 'L', 'F', 'S')),
  ejection_failures integer not null check (ejection_failures >= 1),
  ejection_pause bigint not null,
  ejection_ramp_up bigint not null,
  health_path text,
  request_timeout bigint not null,
  completion_timeout bigint not null,
  answers_later boolean not null,
  max_in_flight integer not null check (max_in_flight >= 1)
);

-- What requests are signed with: one that stays, and perhaps one that retires.
create table http_pool_key (
  id bigint generated always as identity primary key,
  pool text collate "C" not null references http_pool on delete cascade,
  secret bytea not null,
  created_at bigint not null,
  retires_at bigint
);

create index http_pool_key_of on http_pool_key (pool, id);
create unique index http_pool_key_stays on http_pool_key (pool) where retires_at is null;

-- Endpoints that workers have said of themselves.
create table http_endpoint (
  pool text collate "C" references http_pool on delete cascade,
  url text collate "C",
  lease_until bigint not null,
  primary key (pool, url)
);

-- What completion tokens are sealed with; one row.
create table push_secret (
  one_row boolean primary key default true check (one_row),
  secret bytea not null
);
