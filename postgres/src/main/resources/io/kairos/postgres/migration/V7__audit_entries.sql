-- The audit log: calls of operators, of which an entry is written before they are let through, and refusals.
create table audit_entry (
  id bigint generated always as identity primary key,
  -- when the call began, by the store's clock
  began_at bigint not null,
  -- null where no callers are configured, and for an unknown token
  caller text collate "C",
  address text not null,
  -- the method; empty in an entry that stands for several
  action text not null,
  -- kind and name of what the call is about; empty when the request was not read
  kind text not null,
  object text collate "C" not null,
  -- the part of the object; empty for the whole
  detail text not null,
  -- BEGUN, or the code by which the call was answered
  outcome text not null,
  -- how many further refusals the entry stands for
  more bigint not null default 0
) with (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 500000
);
-- Not with the number behind the time: then each of them would look as fit for finding an entry by its number as the
-- primary key does while the table is empty.
create index audit_entry_age on audit_entry (began_at);
create index audit_entry_caller on audit_entry (caller, began_at);
create index audit_entry_object on audit_entry (object, began_at);
