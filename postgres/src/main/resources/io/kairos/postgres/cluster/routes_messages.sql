-- Every route with the number of its messages, counted to :most. Index: delayed_message_pkey, one ordered range of each. No
-- locks; one row per route.
select
  r.name,
  (select count(*) from (
    select m.id from delayed_message m
    where m.route_id = r.id
    order by m.route_id, m.id
    limit :most::bigint) p)
from route r
