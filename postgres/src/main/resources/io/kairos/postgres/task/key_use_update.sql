-- Counts tasks that began, or negative that ended, and writes the tokens that are left where a time is given. Index: key_use_pkey,
-- one probe per name. The rows are locked already, as many as names.
update key_use u
set
  running = greatest(0, u.running + c.begun),
  tokens = case when c.tokens_at is null then u.tokens else c.tokens end,
  tokens_at = coalesce(c.tokens_at, u.tokens_at)
from unnest(:names::text[], :begun::integer[], :tokens::double precision[], :tokens_ats::bigint[])
  c (name, begun, tokens, tokens_at)
where u.name = any (array[c.name])
