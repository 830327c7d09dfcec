-- Lets this connection hear what rings from now on. No index, no locks, no rows.
listen kairos_tasks
