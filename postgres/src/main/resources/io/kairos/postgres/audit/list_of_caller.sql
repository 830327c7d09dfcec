-- Entries of a caller of these times, newest first, before a place of the list. The range is named by comparisons of rows,
-- which no other index fits. Index: audit_entry_caller, backwards. No locks; at most :max_entries rows, and passes over
-- entries of the caller that do not match.
select {entry}
from audit_entry a
where (a.caller, a.began_at) >= (:caller::text, :from_at::bigint)
  and (a.caller, a.began_at) <= (:caller::text, :before_at::bigint)
  and (a.began_at, a.id) < (:before_at::bigint, :before_id::bigint)
  and {wanted}
order by a.caller desc, a.began_at desc, a.id desc
limit :max_entries::integer
