-- How many pages the table of messages has. No index, no locks; one row.
select pg_relation_size('delayed_message') / current_setting('block_size')::integer
