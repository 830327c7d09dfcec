-- The limits that hold for names, and the use of these names. Names without a limit are left out. Index: key_limit_pkey, at worst of
-- all limits, a thousand; key_use_pkey, one probe per name. Locks the uses in the order of the names, sorted by the caller; at most
-- as many rows as names.
select n.name, f.max_running, f.rate, f.burst, u.running, u.tokens, u.tokens_at
from unnest(:names::text[]) n (name)
cross join lateral ({limit_of_name}) f
cross join lateral (
  select k.running, k.tokens, k.tokens_at from key_use k where k.name = n.name for no key update) u
