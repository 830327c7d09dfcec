-- A page of pg-boss's jobs that have not ended, without those of its own queues, with all columns, which differ between its versions, and
-- with data of more than 1,000,000 bytes left out. Index: the primary key of each partition, in its order. Takes no locks; at most 100 rows.
select j.name as key_1,
       j.id::text as key_2,
       (to_jsonb(j) - array['data', 'output'])::text as fields,
       octet_length(j.data::text) as bytes,
       case when octet_length(j.data::text) <= 1000000 then j.data::text end as payload
  from ${table}.job j
 where (j.name, j.id) > (?::text, ?::uuid)
   and j.state::text in ('created', 'retry', 'active')
   and left(j.name, 10) <> '__pgboss__'
 order by j.name, j.id
 limit 100
