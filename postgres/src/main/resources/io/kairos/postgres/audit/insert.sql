-- Writes entries, and returns their numbers, which rise in the order of the entries. Index: writes all. Locks nothing that
-- exists; as many rows as entries.
insert into audit_entry (began_at, caller, address, action, kind, object, detail, outcome, more)
select
  (extract(epoch from clock_timestamp()) * 1000000)::bigint, n.caller, n.address, n.action, n.kind, n.object,
  n.detail, n.outcome, n.more
from unnest(
  :callers::text[], :addresses::text[], :actions::text[], :kinds::text[], :objects::text[], :details::text[],
  :outcomes::text[], :mores::bigint[])
  with ordinality n (caller, address, action, kind, object, detail, outcome, more, nth)
order by n.nth
returning id
