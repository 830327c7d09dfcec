-- All recurring jobs of JobRunr. Scans the table with the prefix ${table}, takes no locks.
select id, jobAsJson
  from ${table}jobrunr_recurring_jobs
 order by id
