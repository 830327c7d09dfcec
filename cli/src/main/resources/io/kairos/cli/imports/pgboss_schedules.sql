-- All schedules of pg-boss, with all columns, which differ between its versions. Scans the table in the schema ${table}, takes no locks.
select *
  from ${table}.schedule
 order by name
