-- Every route with the number of its messages, counted to 10,001. Index: delayed_message_pkey, one ordered range per route.
-- No locks; one row per route.
select
  r.name,
  (select count(*) from (
    select m.id from delayed_message m
    where m.route_id = r.id
    order by m.route_id, m.id
    limit 10001) p) as pending
from route r
order by r.name
