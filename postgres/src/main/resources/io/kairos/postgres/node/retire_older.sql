-- Ends the lives of nodes that do not run, by the rule of older.sql, and do not know migration :version: one that was only
-- frozen enrols anew, which it may not. Reads the whole table, which has a row per node. Locks the rows that it changes.
update node n
set retired_at = clock_timestamp(), suspected = true
where n.retired_at is null
  and n.renewed_at <= clock_timestamp() - greatest(n.lapse, interval '1 minute')
  and coalesce((to_jsonb(n) ->> 'schema_known')::integer, 0) < :version::integer
