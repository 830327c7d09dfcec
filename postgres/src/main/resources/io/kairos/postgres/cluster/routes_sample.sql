-- Counts messages by route in a sample of :percent of the table's pages. No index: reads the pages of the sample. No locks;
-- one row per route.
select r.name, count(*)
from delayed_message m tablesample system (:percent::real)
join route r on r.id = m.route_id
group by r.name
