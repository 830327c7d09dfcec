-- The last schedule that a list looks at when it passes over many: the one that is :max_looked behind the first of those whose names
-- begin with :prefix, after :after. No row when there are not so many. Index: schedule_name_key, in its order. No locks; passes over
-- :max_looked entries.
select p.id, p.name
from schedule p
where p.name > :after::text
  and p.name >= :prefix::text
  and p.name < :prefix::text || '~'
order by p.name
offset :max_looked::integer
limit 1
