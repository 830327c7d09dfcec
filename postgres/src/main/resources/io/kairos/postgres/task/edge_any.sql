-- A row when any task waits for another or has. Index: none, reads the first entry. No locks; one row or none.
select 1 from task_edge limit 1
