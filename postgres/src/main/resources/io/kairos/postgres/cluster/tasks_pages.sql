-- How many pages the table of tasks has. No index, no locks; one row.
select pg_relation_size('task') / current_setting('block_size')::integer
