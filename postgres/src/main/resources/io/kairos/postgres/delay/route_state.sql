-- States the topics that a starting node serves a route with. Index: route_name_key. Locks the route's row; one row.
update route set input = :input::text, output = :output::text where name = :name::text
