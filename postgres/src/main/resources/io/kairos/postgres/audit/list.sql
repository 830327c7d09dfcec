-- Entries of these times, newest first, before a place of the list. Index: audit_entry_age, backwards. No locks; at most
-- :max_entries rows, and passes over entries of these times that do not match.
select {entry}
from audit_entry a
where a.began_at >= :from_at::bigint
  and a.began_at <= :before_at::bigint
  and (a.began_at, a.id) < (:before_at::bigint, :before_id::bigint)
  and {wanted}
order by a.began_at desc, a.id desc
limit :max_entries::integer
