-- A page of River's jobs that have not ended, with columns of more than 1,000,000 bytes left out. Index: river_job_pkey, in its order. Takes no locks; at most 100 rows.
select j.id::text as key_1,
       case when size.bytes <= 1000000 then text.fields end as fields,
       size.bytes,
       case when size.bytes <= 1000000 then text.payload end as payload
  from ${table}river_job j,
       lateral (select ((to_jsonb(j) - array['args', 'attempted_by', 'errors', 'metadata'])
                         || jsonb_build_object('has_metadata', j.metadata <> '{}'))::text as fields,
                       j.args::text as payload offset 0) text,
       lateral (select greatest(octet_length(text.fields), octet_length(text.payload)) as bytes) size
 where j.id > ?::bigint
   and j.state::text in ('available', 'pending', 'retryable', 'running', 'scheduled')
 order by j.id
 limit 100
