-- Sets a pause or changes one that holds, which keeps the time of its beginning. Index: task_pause_pkey. One row.
insert into task_pause (handler, collection, mode, until, note, since)
select :handler::text, :collection::text, :mode::text::"char", :until::bigint, :note::text, clock.micros
from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
on conflict (handler, collection) do update
set
  mode = excluded.mode,
  until = excluded.until,
  note = excluded.note,
  since = case
    when task_pause.until is null or task_pause.until > excluded.since then task_pause.since
    else excluded.since
  end
