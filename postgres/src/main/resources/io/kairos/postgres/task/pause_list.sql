-- Pauses that hold or, with :to_tend, those that leave work to do: that drop, or are over. Reads the whole table, which
-- operators fill. No locks.
select g.handler, g.collection, g.mode, g.until, g.note, g.since
from task_pause g
cross join (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros offset 0) clock
where case
  when :to_tend::boolean then g.mode = 'D' or g.until <= clock.micros
  else g.until is null or g.until > clock.micros
end
order by g.handler, g.collection
