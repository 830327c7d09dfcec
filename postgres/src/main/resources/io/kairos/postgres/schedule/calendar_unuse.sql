-- Removes the notes of the calendars that a schedule names. Index: schedule_calendar_pkey. At most 16 rows.
delete from schedule_calendar where schedule_id = :id::uuid
