-- Every route with the number of its messages, counted to 10,001, and the due time of the first that may be claimed. Index:
-- delayed_message_pkey and delayed_message_waiting, one ordered range of each per route. No locks; one row per route.
select
  r.name,
  (select count(*) from (
    select m.id from delayed_message m
    where m.route_id = r.id
    order by m.route_id, m.id
    limit 10001) p) as pending,
  (select m.deadline from delayed_message m
    where m.route_id = r.id and m.readied_by is null
    order by coalesce(m.deferred_until, m.deadline)
    limit 1) as first_waiting_micros
from route r
order by r.name
