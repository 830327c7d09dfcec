-- Names whose use is as if they had never been used: nothing runs or waits, and the bucket is full. Looks at about :most of all used
-- names, a new sample of pages each time. Index: key_wait_line, key_limit_pkey. No locks; at most :max_names rows.
with {clock}
select n.name
from key_use n
tablesample system ((
  select least(100, 100.0 * :most::integer / greatest(1, c.reltuples)) from pg_class c where c.oid = 'key_use'::regclass))
where {is_idle}
limit :max_names::integer
