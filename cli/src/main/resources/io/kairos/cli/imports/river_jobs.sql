-- A page of River's jobs that have not ended, with args of more than 1,000,000 bytes left out. Index: river_job_pkey, in its order. Takes no locks; at most 100 rows.
select j.id::text as key_1,
       ((to_jsonb(j) - array['args', 'attempted_by', 'errors', 'metadata'])
         || jsonb_build_object('has_metadata', j.metadata <> '{}'))::text as fields,
       octet_length(j.args::text) as bytes,
       case when octet_length(j.args::text) <= 1000000 then j.args::text end as payload
  from ${table}river_job j
 where j.id > ?::bigint
   and j.state::text in ('available', 'pending', 'retryable', 'running', 'scheduled')
 order by j.id
 limit 100
