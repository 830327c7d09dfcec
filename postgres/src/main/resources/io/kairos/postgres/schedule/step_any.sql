-- A row when any schedule has steps. Index: none, reads the first entry. No locks; one row or none.
select 1 from schedule_step limit 1
