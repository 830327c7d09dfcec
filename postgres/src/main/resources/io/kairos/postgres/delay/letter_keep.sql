-- Keeps a record whole, unless the table has reached :max_bytes on disk. Removes what is older than :kept_micros, at most
-- 100 letters. Indexes: kept_letter_pkey, kept_letter_age. Locks the rows that it removes; returns the letter's id unless
-- there is no room.
with old as materialized (
  select id from kept_letter
  where kept_at <= statement_timestamp() - :kept_micros::bigint * interval '1 microsecond'
  order by kept_at
  limit 100
), removed as (
  delete from kept_letter where id = any (array(select id from old))
)
insert into kept_letter as k (id, route_id, reason, record_key, record_value, record_headers)
select :id::uuid, :route::integer, :reason::text, :key::bytea, :value::bytea, :headers::bytea
where pg_total_relation_size('kept_letter') < :max_bytes::bigint
on conflict (id) do update set reason = excluded.reason
returning k.id
