-- The topics of every route, as the node that started last has stated them. Reads the whole table, which has a row per
-- route. No locks.
select name, input, output from route where input is not null
