-- A row when there is a batch. Index: none, reads the first entry. No locks; one row or none.
select 1 from task_batch b order by b.id limit 1
