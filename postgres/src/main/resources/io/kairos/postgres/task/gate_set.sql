-- Sets a pause or changes one that holds, which keeps the time of its beginning. Index: task_gate_pkey. One row.
insert into task_gate (handler, collection, mode, until, note, since)
select :handler::text, :collection::text, :mode::text::"char", :until::bigint, :note::text, clock.micros
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
on conflict (handler, collection) do update
set
  mode = excluded.mode,
  until = excluded.until,
  note = excluded.note,
  since = case
    when task_gate.until is null or task_gate.until > excluded.since then task_gate.since
    else excluded.since
  end
