-- Makes this connection receive notifications from now on. No index, no locks, no rows.
listen kairos_tasks
