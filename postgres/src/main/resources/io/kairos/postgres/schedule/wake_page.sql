-- Has schedules looked at now that follow :after by their ids, and says which; their next fire times are found anew. What has
-- passed is as it was: all of it is decided before what is due, but of one that was put off, whose next_at is no fire time. The
-- fire times of a fixed delay do not pass.
-- Index: schedule_pkey, in its order. Waits for whoever is deciding one; at most :max_schedules rows.
with page as materialized (
  select p.id from schedule p where p.id > :after::uuid order by p.id limit :max_schedules::integer for no key update
), clock as materialized (
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros from (select count(*) from page) p
), woken as (
  update schedule s
  set
    next_at = least(s.next_at, (select micros from clock)),
    decided_to = case
      when s.put_off or s.rule_kind = 'DELAY' then s.decided_to
      else greatest(s.decided_to, least((select micros from clock), s.next_at - 1))
    end
  from page g
  where s.id = any (array[g.id]) and s.status = 'ACTIVE'
)
select g.id from page g order by g.id
