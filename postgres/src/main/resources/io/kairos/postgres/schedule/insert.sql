-- Stores a new schedule unless its name is taken. Index: writes all. Waits for a transaction that is storing one of the same
-- name; one row or none.
insert into schedule (
  id, name, created_at,
  {definition},
  status, note, since, decided_to, next_at, runs, last_run)
values (
  :id::uuid, :name::text, :created_at,
  {defined},
  :status::text, :note::text, :since, :decided_to, :next_at::bigint, :runs, null)
on conflict (name) do nothing
