-- Stores a calendar, new or of the generation given: 0 for a new one, -1 for any. Index: business_calendar_pkey. Waits for a
-- transaction that is changing it; one row, none when it has another generation.
insert into business_calendar as c (name, days, generation, updated_at)
select :name::text, :days::text, 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint
where :generation::bigint in (-1, 0)
  or exists (select from business_calendar e where e.name = :name::text)
on conflict (name) do update
set days = excluded.days, generation = c.generation + 1, updated_at = excluded.updated_at
where :generation::bigint in (-1, c.generation)
returning c.generation
