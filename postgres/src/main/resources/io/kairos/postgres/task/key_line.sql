-- The line of each name: tasks that sleep, and tasks that are woken and have not lost their turn, each up to :most; and the
-- store's clock. Index: key_wait_line. The uses are locked; as many rows as names.
with {clock}
select
  n.name,
  (select count(*) from (
    select 1 from key_wait w where w.name = n.name and w.woken_at is null limit :most::integer) s),
  (select count(*) from (
    select 1 from key_wait w
    where w.name = n.name and w.woken_at > (select micros from clock) - :grace_micros::bigint
    limit :most::integer) s),
  (select micros from clock)
from unnest(:names::text[]) n (name)
