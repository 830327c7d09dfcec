-- The number of a route. Index: route_name_key. No locks; one row.
select id from route where name = :name::text
