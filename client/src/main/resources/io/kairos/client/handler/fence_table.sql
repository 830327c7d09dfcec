-- The highest fence that has been seen at each resource. Belongs into the database that keeps the effects.
create table if not exists kairos_fence (
  resource text primary key,
  fence bigint not null
)
