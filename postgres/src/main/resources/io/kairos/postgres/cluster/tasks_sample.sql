-- Counts waiting tasks in a sample of the table's pages, by cell: sixteen independent samples, each of :percent of the pages.
-- No index: reads the pages of the samples. No locks; sixteen rows per cell.
select g.n, s.cell, s.tasks
from generate_series(0, 15) g (n)
cross join lateral (
  select {cell} as cell, count(*) as tasks
  from (
    select t.next_trigger as at
    from task t tablesample system (:percent::real) repeatable (:seed::double precision + g.n)
    where t.state in ('N', 'R')) w
  group by 1) s
