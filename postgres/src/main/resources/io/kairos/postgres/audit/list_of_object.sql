-- Entries about an object of these times, newest first, before a place of the list; of a caller or (:caller null) of all.
-- See list_of_caller.sql for the form of the conditions. Index: audit_entry_object, backwards. No locks; at most
-- :max_entries rows, and passes over entries about the object that do not match.
select {entry}
from audit_entry a
where (a.object, a.began_at) >= (:object::text, :from_at::bigint)
  and (a.object, a.began_at) <= (:object::text, :before_at::bigint)
  and (a.began_at, a.id) < (:before_at::bigint, :before_id::bigint)
  and {wanted}
  and (:caller::text is null or a.caller = :caller::text)
order by a.object desc, a.began_at desc, a.id desc
limit :max_entries::integer
