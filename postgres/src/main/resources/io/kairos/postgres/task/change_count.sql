-- How many tasks a change of many would change, how many it would find, and the last of these: each is due :apart_micros after
-- the one before, and not changed when that is past its start deadline. Index and bounds: as change_find.sql. No locks; one row.
with {wanted}, found as materialized (
  select t.id, t.start_deadline
  from task t
  where t.id > :after::uuid and t.id <= :up_to::uuid and {changed}
  order by t.id
  limit :max_tasks::integer
)
select
  count(*) filter (where p.start_deadline is null or p.start_deadline >= :due::bigint + p.place * :apart_micros::bigint),
  count(*),
  (select l.id from found l order by l.id desc limit 1)
from (select f.start_deadline, row_number() over (order by f.id) - 1 as place from found f) p
