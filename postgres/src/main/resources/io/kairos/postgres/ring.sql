-- Notifies all nodes that listen. Waits for other transactions that are just committing a notification. No index; one row.
select pg_notify('kairos_tasks', :node::text)
