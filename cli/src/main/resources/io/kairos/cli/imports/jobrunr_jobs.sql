-- A page of JobRunr's jobs that have not ended, with those of more than 1,000,000 characters left out. Index: the primary key, in its order. Takes no locks; at most 100 rows.
select id as key_1,
       case when length(jobAsJson) <= 1000000 then jobAsJson end as fields,
       length(jobAsJson) as bytes,
       null as payload
  from ${table}jobrunr_jobs
 where id > cast(? as char(36))
   and state in ('AWAITING', 'ENQUEUED', 'PROCESSING', 'SCHEDULED')
 order by id
 fetch first 100 rows only
