-- Gives a route its number, unless it has one. Index: route_name_key. Locks nothing that exists; one row.
-- Does not update on conflict, so that starting nodes neither wait for each other nor use up numbers twice.
insert into route (name)
select :name::text where not exists (select from route where name = :name::text)
on conflict (name) do nothing
