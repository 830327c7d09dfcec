-- Writes another definition of a schedule. Index: schedule_pkey. The row is locked already; one.
update schedule
set (
  {definition}) = row(
  {defined})
where id = :id::uuid
