-- A page of pg-boss's jobs that have not ended, without those of its own queues, with all columns, which differ between its versions, and
-- with columns of more than 1,000,000 bytes left out. Index: the primary key of each partition, in its order. Takes no locks; at most 100 rows.
select j.name as key_1,
       j.id::text as key_2,
       case when size.bytes <= 1000000 then text.fields end as fields,
       size.bytes,
       case when size.bytes <= 1000000 then text.payload end as payload
  from ${table}.job j,
       lateral (select (to_jsonb(j) - array['data', 'output'])::text as fields, j.data::text as payload offset 0) text,
       lateral (select greatest(octet_length(text.fields), octet_length(text.payload)) as bytes) size
 where (j.name, j.id) > (?::text, ?::uuid)
   and j.state::text in ('created', 'retry', 'active')
   and left(j.name, 10) <> '__pgboss__'
 order by j.name, j.id
 limit 100
