-- Names after :after before whose limits tasks stand in line, in their order. Index: key_wait_line, one probe per name. No locks;
-- at most :max_names rows.
with recursive walk as (
  (select w.name, 1 as nth from key_wait w where w.name > :after::text order by w.name limit 1)
  union all
  select n.name, p.nth + 1
  from walk p
  cross join lateral (select w.name from key_wait w where w.name > p.name order by w.name limit 1) n
  where p.nth < :max_names::integer
)
select w.name from walk w
