-- Forgets executions that have had their effect for so many seconds. Index: kairos_execution_at. Locks what it deletes, at most
-- 10,000 rows; passes over those that are just being deleted.
delete from kairos_execution e
using (
  select id from kairos_execution
  where at < clock_timestamp() - make_interval(secs => ?)
  order by at
  limit 10000
  for update skip locked) old
where e.id = old.id
