-- Removes the steps of a schedule. Index: schedule_step_pkey. The schedule is locked already; at most 100 rows.
delete from schedule_step where schedule_id = :id::uuid
