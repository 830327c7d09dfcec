-- Has schedules looked at now that follow :after by their ids, and says which; their next fire times are found anew.
-- Index: schedule_pkey, in its order. Waits for whoever is deciding one; at most :max_schedules rows.
with page as materialized (
  select p.id from schedule p where p.id > :after::uuid order by p.id limit :max_schedules::integer for no key update
), woken as (
  update schedule s
  set next_at = (select (extract(epoch from clock_timestamp()) * 1000000)::bigint)
  from page g
  where s.id = any (array[g.id]) and s.status = 'ACTIVE'
)
select g.id from page g order by g.id
