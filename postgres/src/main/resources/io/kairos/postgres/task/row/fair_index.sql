-- Has a row when the index of fairness keys is there and was built to its end. No locks.
select from pg_index i
where i.indexrelid = to_regclass('task_fair') and i.indrelid = to_regclass('task') and i.indisvalid
