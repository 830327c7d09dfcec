-- Parts that several statements of this folder share; a statement names a part in braces. The statement says which index
-- serves it and how many rows it has.

-- The columns of an entry, in the order in which they are read.
{entry}:
a.id, a.began_at, a.caller, a.address, a.action, a.kind, a.object, a.detail, a.outcome, a.more

-- Entries with this action, kind and outcome, of which each is null for all.
{wanted}:
(:action::text is null or a.action = :action::text)
  and (:kind::text is null or a.kind = :kind::text)
  and (:outcome::text is null or a.outcome = :outcome::text)
