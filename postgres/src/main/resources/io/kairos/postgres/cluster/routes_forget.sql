-- Removes what a node that stops has told of its routes. Index: route_figures_pkey. Locks its rows; a row per route.
delete from route_figures where node_id = :node_id::uuid
