-- Names after :after that were lately used and for which the limit :pattern holds, with their use. Index: key_limit_pkey; key_use_pkey,
-- in its order; key_wait_line. Passes over names that have another limit. No locks; at most :max_names rows.
with {clock}, l as materialized (
  select * from key_limit k where k.pattern = :pattern::text
), p as materialized (
  select p.* from l cross join lateral ({narrower_limits}) p
)
select
  n.name,
  n.running,
  (select count(*) from (
    select 1 from key_wait w where w.name = n.name and w.woken_at is null limit :most::integer) s),
  n.tokens,
  greatest(0, (select micros from clock) - n.tokens_at),
  (select max_running from l),
  (select rate from l),
  (select burst from l)
from key_use n
where n.name > :after::text
  and n.name >= (select first from p)
  and n.name <= (select last from p)
  and (n.name = :pattern::text or (
    not exists (select from key_limit m where m.pattern = n.name)
    and not exists (select from p cross join lateral unnest(p.narrower) b (beginning) where starts_with(n.name, b.beginning))))
order by n.name
limit :max_names::integer
