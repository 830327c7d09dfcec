-- Names after :after that begin with :prefix, or are just :name, were lately used and have the limit :pattern, with their use.
-- Index: key_use_pkey, in its order; key_limit_pkey, key_wait_line. Passes over names that have another limit. No locks; at most
-- :max_names rows.
with {clock}
select
  n.name,
  n.running,
  (select count(*) from (
    select 1 from key_wait w where w.name = n.name and w.woken_at is null limit :most::integer) s),
  n.tokens,
  greatest(0, (select micros from clock) - n.tokens_at),
  f.max_running,
  f.rate,
  f.burst
from key_use n
cross join lateral ({limit_of_name}) f
where n.name > :after::text and n.name >= :prefix::text and starts_with(n.name, :prefix::text) and f.pattern = :pattern::text
order by n.name
limit :max_names::integer
