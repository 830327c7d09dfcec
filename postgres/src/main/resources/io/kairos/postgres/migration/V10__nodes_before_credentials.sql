-- A node whose build does not know migration 9 would sign with encrypted secrets and push without a pool's credentials, and does
-- not look whether there are any. So it may not enrol while a pool has credentials, or an encrypted secret is still in use; such
-- pools take turns with enrolments by the lock of node/enrol_turn.sql, which the first builds do not take themselves. The two
-- tables have at most some thousand rows.
create function kairos_refuse_older_node() returns trigger
language plpgsql
as $$
declare
  clock_micros constant bigint := extract(epoch from clock_timestamp()) * 1000000;
begin
  perform pg_advisory_xact_lock_shared(118066125107060);
  if exists (select from http_pool p where p.tls is not null)
    or exists (
      select from http_pool_key k
      where k.encrypted_with is not null and (k.retires_at is null or k.retires_at > clock_micros))
  then
    raise exception using
      errcode = 'object_not_in_prerequisite_state',
      message = 'pools have credentials or encrypted secrets, which needs nodes that know version 9 of the schema, and the'
        || ' build of this node knows versions up to ' || coalesce(new.schema_known, 4) || ' at most: start a later build';
  end if;
  return new;
end
$$;

create trigger node_before_credentials
  before insert on node
  for each row when (coalesce(new.schema_known, 0) < 9)
  execute function kairos_refuse_older_node();
