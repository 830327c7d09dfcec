-- How many failed tasks match and can be put back, and the last of them. Index and bounds: as redrive_find.sql. No locks; one
-- row.
with {redrivable}
select count(*), (select l.id from found l order by l.id desc limit 1)
from found
