-- Counts messages that no node holds in a sample of the table's pages, by cell: sixteen independent samples, each of :percent of the pages. No
-- index: reads the pages of the samples. No locks; sixteen rows per cell.
select g.n, s.cell, s.messages
from generate_series(0, 15) g (n)
cross join lateral (
  select {cell} as cell, count(*) as messages
  from (
    select coalesce(m.deferred_until, m.deadline) as at
    from delayed_message m tablesample system (:percent::real) repeatable (:seed::double precision + g.n)
    where m.readied_by is null) w
  group by 1) s
