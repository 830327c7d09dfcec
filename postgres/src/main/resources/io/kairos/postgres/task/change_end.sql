-- The store's clock, and the id up to which a change of many tasks searches: the one that is :max_looked above :after, null
-- when there are not so many up to :up_to. Index: task_pkey. No locks; passes over :max_looked entries.
with {clock}
select
  (select micros from clock),
  (select t.id
  from task t
  where t.id > :after::uuid and t.id <= :up_to::uuid
  order by t.id
  offset :max_looked::integer limit 1)
