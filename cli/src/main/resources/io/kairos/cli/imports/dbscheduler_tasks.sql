-- Every task of db-scheduler: which are recurring is seen by instance and data. Reads only; scans, takes no locks; ${table} is its table.
select task_name, task_instance, task_data, execution_time
  from ${table}
 order by task_name, task_instance
