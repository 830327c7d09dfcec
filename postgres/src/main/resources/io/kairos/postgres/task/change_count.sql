-- How many tasks a change of many would change, and the last of them. Index and bounds: as change_find.sql. No locks; one row.
with {wanted}, found as materialized (
  select t.id
  from task t
  where t.id > :after::uuid and t.id <= :up_to::uuid and {changed}
  order by t.id
  limit :max_tasks::integer
)
select count(*), (select l.id from found l order by l.id desc limit 1)
from found
