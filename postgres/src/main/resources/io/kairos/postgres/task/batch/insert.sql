-- Stores a batch, unless its handler has one of this name. Index: task_batch_name; writes all. Waits for a peer that
-- stores one of this name; one row or none.
with {clock}
insert into task_batch (id, handler, name, created_at, created_by)
select :id::uuid, :handler::text, :name::text, clock.micros, :created_by::text
from clock
on conflict (handler, name) where name is not null do nothing
