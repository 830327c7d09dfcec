-- Takes tasks out of the lines of names that were woken and have not come for so long: they are looked for as any due task, and
-- stand in line again when they are refused. Index: key_wait_line, a range per name. Skips rows locked by peers; at most
-- :max_tasks rows.
delete from key_wait w
where w.ctid = any (array(
  select s.place
  from unnest(:names::text[]) n (name)
  cross join lateral (
    select k.ctid as place
    from key_wait k
    where k.name = n.name
      and k.woken_at <= (select (extract(epoch from clock_timestamp()) * 1000000)::bigint) - :grace_micros::bigint
    limit :max_tasks::integer
    for update skip locked) s
  limit :max_tasks::integer))
