-- All tasks of db-scheduler; instance and data tell the recurring ones. Scans the table ${table}, takes no locks.
select task_name, task_instance, task_data, execution_time
  from ${table}
 order by task_name, task_instance
