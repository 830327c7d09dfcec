-- The store's time. No index, no locks; one row.
select clock_timestamp()
